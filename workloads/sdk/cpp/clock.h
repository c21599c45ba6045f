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

// The smallest step that this clock was seen to make over kTickReads successive reads. When some
// reads are equal, a tick is longer than a read, and it is the least positive difference of two
// reads; when none are, a read is longer than a tick, and it is the least difference of two such
// differences. What clock_getres() says is a wish.
int64_t MeasureTickNs();
inline constexpr int kTickReads = 20'000;

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_CLOCK_H_
