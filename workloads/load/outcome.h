// What became of one request.

#ifndef TARE_WORKLOADS_LOAD_OUTCOME_H_
#define TARE_WORKLOADS_LOAD_OUTCOME_H_

#include <cstdint>

namespace tare::load {

enum class Failure : uint8_t { kNone, kHttp, kTimeout, kRefused, kBroken };

// Times are nanoseconds since the start; -1: it did not come to that.
struct Outcome {
  int64_t intended_ns = 0;  // in a closed loop: when it was taken up
  int64_t taken_ns = -1;    // when the generator took it up
  int64_t sent_ns = -1;     // when it had a connection, just before the send
  int64_t ended_ns = -1;    // the reply was complete, or the request had failed
  const char* what = "";    // of a failure; lives as long as the process
  int connection = -1;
  int code = 0;  // status of a reply, or errno of a failure
  Failure failure = Failure::kNone;

  bool has_ended() const { return ended_ns >= 0; }
};

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_OUTCOME_H_
