#include "coordinator/cli/run_experiment.h"

#include <cstdio>
#include <optional>

#include "base/status.h"
#include "coordinator/cli/confirmation.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/cli/report_output.h"
#include "coordinator/cli/run_session.h"

namespace tare::coordinator {
namespace {

absl::StatusOr<SessionResult> RunAndReport(const RunRequest& request, const std::string& confirms) {
  ASSIGN_OR_RETURN(SessionResult session, RunSession(request, confirms).Run());
  if (session.report.has_value()) {
    RETURN_IF_ERROR(PrintReport(*session.report, request.store, request.json));
  }
  return session;
}

absl::StatusOr<int> RunAndConfirm(const RunRequest& request) {
  ASSIGN_OR_RETURN(const SessionResult session, RunAndReport(request, ""));
  if (!session.report.has_value() || session.exit_code == kExitInterrupted) {
    return session.exit_code;
  }
  std::optional<v1::Experiment> again = MakeConfirmation(session.experiment, *session.report);
  if (!again.has_value()) return session.exit_code;
  std::printf("\nmeasured again, in a second session that decides alone\n\n");
  std::fflush(stdout);
  RunRequest second = request;
  second.experiment = *std::move(again);
  second.seed.reset();
  second.resume.clear();
  ASSIGN_OR_RETURN(const SessionResult confirmation, RunAndReport(second, session.report->run()));
  return confirmation.exit_code;
}

}  // namespace

int RunExperiment(const RunRequest& request) {
  const absl::StatusOr<int> code = RunAndConfirm(request);
  return code.ok() ? *code : Complain(code.status());
}

}  // namespace tare::coordinator
