// The agent: serves one coordinator's commands, one attempt at a time, until the session ends.
//
// Not thread-safe.

#ifndef TARE_AGENT_AGENT_H_
#define TARE_AGENT_AGENT_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/machine/lock.h"
#include "agent/session.h"
#include "agent/spool.h"
#include "agent/trial_runner.h"
#include "agent/upload.h"
#include "base/clock.h"

namespace tare::agent {

struct AgentOptions {
  std::string coordinator;
  std::string id;
  // Private directory for services; made and removed by the agent.
  std::string work_directory;
  // Where undelivered chunks wait; survives the agent.
  std::string spool_directory;
  std::string lock_path;
};

class Agent {
 public:
  Agent(AgentOptions options, Clock* clock);
  ~Agent();

  // Opens a session and serves it. OK when it was drained; Aborted when the session ended; else why
  // none could be opened. All processes and services of the run are stopped by then.
  absl::Status Serve();

 private:
  absl::Status Handle(const v1::CoordinatorMessage& message);
  absl::Status HandlePrepare(const v1::Prepare& prepare);
  absl::Status HandleStart(const v1::Start& start);
  absl::Status HandleCancel(const v1::Cancel& cancel);
  absl::Status HandleLook(const v1::Look& look);
  absl::Status HandleRelease(const v1::Release& release);

  // Takes the machine and opens the spool, unless this run has them.
  absl::Status TakeMachine(const std::string& run);
  // Spools the result of the current trial and says Finished.
  absl::Status DeliverTrial();
  absl::Status Refuse(const v1::AttemptKey& key, v1::RefusedReason reason, const std::string& text);
  void EndRun();

  const AgentOptions options_;
  const int64_t incarnation_;
  Workbench workbench_;
  std::unique_ptr<Session> session_;
  std::optional<MachineLock> lock_;  // held from a run's first trial until it is released
  std::unique_ptr<Spool> spool_;
  std::unique_ptr<Upload> upload_;
  v1::AttemptKey key_;
  std::unique_ptr<TrialRunner> trial_;  // prepared or measuring
  bool is_draining_ = false;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_AGENT_H_
