// One session of measuring one run: plan or resume it, measure, keep, analyse.
//
// Blocks until the session is over; one at a time in a process. Prints progress and what was kept
// on stderr. Not thread-safe.

#ifndef TARE_COORDINATOR_CLI_RUN_SESSION_H_
#define TARE_COORDINATOR_CLI_RUN_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "coordinator/cli/local_agent.h"
#include "coordinator/cli/run_experiment.h"
#include "coordinator/dispatch/dispatch.h"
#include "coordinator/dispatch/session_server.h"
#include "coordinator/store/store.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct SessionResult {
  int exit_code = 0;
  // Absent when nothing could be analysed; `exit_code` then says why.
  std::optional<v1::Report> report;
  v1::Experiment experiment;
};

class RunSession {
 public:
  // `request` must outlive it. `confirms`: the run whose regressions this one measures again.
  explicit RunSession(const RunRequest& request, std::string confirms = "")
      : request_(request), confirms_(std::move(confirms)), clock_(Clock::Real()) {}

  absl::StatusOr<SessionResult> Run();

 private:
  absl::Status LoadPlan();
  absl::Status LoadStoredPlan();
  absl::Status LoadExpectations();
  absl::Status StartServer();
  absl::StatusOr<ConnectedAgent> FindAgent();
  absl::Status CheckMachine(const v1::Machine& machine) const;
  absl::Status BeginRun();
  std::vector<int32_t> TrialsToMeasure(int32_t rounds_complete) const;
  absl::StatusOr<DispatchResult> Measure(const ConnectedAgent& agent);
  absl::Status EndRun(const absl::StatusOr<DispatchResult>& result);
  absl::StatusOr<SessionResult> Conclude(const absl::StatusOr<DispatchResult>& result);
  std::string KeptNote(size_t counted) const;

  const RunRequest& request_;
  const std::string confirms_;
  Clock* const clock_;
  std::unique_ptr<Store> store_;
  v1::Experiment experiment_;
  v1::Plan plan_;
  std::string run_;
  std::set<int32_t> counted_;  // before this session
  v1::Machine machine_;
  std::set<std::pair<std::string, std::string>> expected_keys_;
  std::vector<v1::ExpectedProgram> expected_;
  // In this order: the agent ends when the server is gone.
  std::unique_ptr<LocalAgent> local_agent_;
  std::unique_ptr<SessionServer> server_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_RUN_SESSION_H_
