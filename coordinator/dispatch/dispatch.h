// Plan → trials on an agent, one after the other, in the plan's order.
//
// Knows neither store nor experiment: what to send and where results go are passed in. A lost agent
// loses its attempt, not the run: the trial gets a new attempt on whichever agent is there. A trial
// that fails by its own fault ends the run, since nothing after it could be judged.
//
// Blocks; one thread.

#ifndef TARE_COORDINATOR_DISPATCH_DISPATCH_H_
#define TARE_COORDINATOR_DISPATCH_DISPATCH_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "coordinator/dispatch/session_server.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

// Attempts at one trial before the run is given up.
inline constexpr int32_t kAttemptsMax = 3;

// Where attempts are written down. Errors end the run.
class AttemptLog {
 public:
  virtual ~AttemptLog() = default;
  virtual absl::StatusOr<int32_t> Open(int32_t trial, const std::string& agent, int64_t epoch) = 0;
  // The agent of this attempt is gone for good.
  virtual absl::Status CloseLost(int32_t trial, int32_t attempt, const absl::Status& why) = 0;
  // What the agent said of a committed attempt.
  virtual absl::StatusOr<v1::TrialRecord> Record(int32_t trial, int32_t attempt) = 0;
};

struct ConnectedAgent {
  std::string id;
  int64_t epoch = 0;  // of its lease
  v1::Register registration;
};

// Waits for an agent to register. Unavailable when none comes within `wait`; Cancelled when
// interrupted.
absl::StatusOr<ConnectedAgent> AwaitAgent(SessionServer& server, absl::Duration wait);

struct DispatchOptions {
  std::string run;
  // The agent to begin with.
  ConnectedAgent agent;
  // Trials still to be measured, in order.
  std::vector<int32_t> trials;
  std::function<v1::TrialSpec(int32_t)> make_spec;
  // How long to wait for another agent after one was lost; 0: none will come, the run ends.
  absl::Duration agent_wait = absl::Seconds(30);
  // From Prepare to Ready, beyond the wait for a quiet machine.
  absl::Duration prepare_timeout = absl::Minutes(3);
  // From Finished or a lost agent to the committed manifest.
  absl::Duration commit_timeout = absl::Minutes(2);
  Clock* clock = nullptr;
  // Called between trials, never while one runs, after each one that counts.
  std::function<void(int32_t trial, const v1::TrialRecord& record)> trial_done;
  // Asked after each trial that counts and is not the last: true ends the run there.
  std::function<absl::StatusOr<bool>()> is_enough;
  // Called about once a second while waiting.
  std::function<void()> tick;
};

struct DispatchResult {
  enum class End {
    kComplete,     // every trial counts
    kEnough,       // `is_enough` said so
    kInterrupted,  // stopped by a person; what was measured is kept
    kFailed,       // a trial failed or was refused; `record` says how
  };
  End end = End::kComplete;
  int32_t failed_trial = -1;
  v1::TrialRecord record;
};

// Errors: Unavailable (no agent came, or agents were lost too often), DeadlineExceeded (an agent
// did not answer), and whatever the log or the chunk handler said.
absl::StatusOr<DispatchResult> Dispatch(const DispatchOptions& options, SessionServer& server,
                                        AttemptLog& log);

// Asks an agent to look at its machine. Errors as above.
absl::StatusOr<v1::Checked> LookAtMachine(SessionServer& server, const ConnectedAgent& agent,
                                          v1::Gates gates);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_DISPATCH_DISPATCH_H_
