// The clock that samples are timed with: CLOCK_MONOTONIC, as std::chrono::steady_clock reads it.
//
// Thread-safe.

#ifndef TARE_WORKLOADS_SDK_CPP_CLOCK_H_
#define TARE_WORKLOADS_SDK_CPP_CLOCK_H_

#include <time.h>

#include <cstdint>

namespace tare::sdk {

// Nanoseconds since an arbitrary start.
inline int64_t ClockNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

// The smallest step that this clock was seen to make: the least positive difference between two
// readings or between two such differences, over kTickReads successive reads. The second kind is
// needed because one read can take longer than a tick. What clock_getres() says is a wish.
int64_t MeasureTickNs();
inline constexpr int kTickReads = 20'000;

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_CLOCK_H_
