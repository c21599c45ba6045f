// The agent's end of the workload protocol (docs/workload-protocol.md).
//
// Speaks over two non-blocking pipes that it does not own, always reading while it writes. Knows
// nothing of processes: that the peer died is seen as end of file here and from its pidfd
// elsewhere.
//
// Not thread-safe. Makes the process ignore SIGPIPE, since pipes have no other way to report a
// reader that is gone. Every call has a deadline of `timeout` of silence. Errors of all calls:
//   DeadlineExceeded    nothing came for `timeout`.
//   Unavailable         the process closed the pipe.
//   DataLoss            what came is not the protocol; the detail quotes the line's beginning.
//   Cancelled           the descriptor given as `cancel_fd` became readable.
//   FailedPrecondition  the process said {"error":…}; WorkloadErrorCode() has its code.

#ifndef TARE_AGENT_WORKLOAD_CHANNEL_H_
#define TARE_AGENT_WORKLOAD_CHANNEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tare/v1/workload.pb.h"

namespace tare::agent {

// The longest line accepted from a workload.
inline constexpr int64_t kLineBytesMax = 64 << 20;

class WorkloadChannel {
 public:
  // `cancel_fd` may be -1.
  WorkloadChannel(int to_process, int from_process, int cancel_fd, absl::Duration timeout);

  absl::StatusOr<v1::Hello> ReceiveHello();

  // Sends setup, waits for ready.
  absl::StatusOr<v1::WorkloadReady> Setup(const v1::Setup& setup);

  // Runs one block. Checks that all columns have the asked length and that `arm` is what was asked.
  absl::StatusOr<v1::SampleBlock> Measure(const v1::Measure& measure);

  // The same block sample by sample, for processes that take turns: BeginTurns, TakeTurn as often
  // as the block has samples, EndTurns. A turn is over when the process gives it back.
  // Requires: `measure` is in lockstep.
  absl::Status BeginTurns(const v1::Measure& measure);
  absl::Status TakeTurn();
  absl::StatusOr<v1::SampleBlock> EndTurns(const v1::Measure& measure);

  absl::StatusOr<v1::WorkloadEvidence> Collect();

  // Sends bye, waits for bye.
  absl::Status Bye();

 private:
  absl::Status Send(const std::string& line);
  // `message` is what is waited for, named in errors.
  absl::StatusOr<std::string> ReceiveLine(const char* message);
  // Waits until something can be read, or written if `wants_write`; true when it can be written.
  absl::StatusOr<bool> Wait(const char* message, bool wants_write);
  // Takes what is there to read.
  absl::Status ReadAvailable();

  int to_process_;
  int from_process_;
  int cancel_fd_;
  absl::Duration timeout_;
  std::string received_;
  bool is_at_end_ = false;
  std::vector<std::string> arms_;  // as setup named them
};

// The refusal code that the workload gave with its error ("config-not-applied"), or empty.
std::string WorkloadErrorCode(const absl::Status& status);

}  // namespace tare::agent

#endif  // TARE_AGENT_WORKLOAD_CHANNEL_H_
