#include "agent/trial_end.h"

#include "agent/expected_program.h"
#include "base/status.h"

namespace tare::agent {

absl::Status TrialEnd::Fail(v1::FailureSource source, const absl::Status& status) {
  if (is_written()) return status;
  const ErrorParts parts = PartsOf(status);
  record_->set_outcome(v1::TRIAL_OUTCOME_FAILED);
  record_->set_source(source);
  record_->set_code("incomplete");
  record_->set_message(parts.what);
  record_->set_detail(parts.detail);
  record_->set_advice(parts.action);
  return status;
}

absl::Status TrialEnd::Refuse(const std::string& code, const absl::Status& status) {
  if (is_written()) return status;
  absl::Status failed = Fail(v1::FAILURE_SOURCE_UNSPECIFIED, status);
  record_->set_outcome(v1::TRIAL_OUTCOME_REFUSED);
  record_->set_code(code);
  return failed;
}

absl::Status TrialEnd::Cancel(const absl::Status& status) {
  if (is_written()) return status;
  absl::Status failed = Fail(v1::FAILURE_SOURCE_UNSPECIFIED, status);
  record_->set_outcome(v1::TRIAL_OUTCOME_CANCELLED);
  return failed;
}

absl::Status TrialEnd::FailService(const absl::Status& status) {
  if (!IsServerGone()) return Fail(v1::FAILURE_SOURCE_SERVICE, status);
  const bool is_absent = absl::IsNotFound(status) || absl::IsPermissionDenied(status);
  return Fail(is_absent ? v1::FAILURE_SOURCE_PROGRAM : v1::FAILURE_SOURCE_WORKLOAD, status);
}

absl::Status TrialEnd::CheckProgram(const std::string& role, const std::string& arm,
                                    const std::string& path) {
  const absl::Status status = CheckExpectedProgram(*spec_, role, arm, path);
  if (status.ok()) return status;
  return absl::IsFailedPrecondition(status) ? Refuse("not-comparable", status)
                                            : Fail(v1::FAILURE_SOURCE_PROGRAM, status);
}

absl::Status TrialEnd::CheckServices() {
  const absl::Status status = services_->CheckRunning();
  return status.ok() ? status : FailService(status);
}

bool TrialEnd::IsServerGone() const {
  for (const v1::Service& service : spec_->services()) {
    Service* running = services_->Find(service.name());
    if (running == nullptr || !running->CheckRunning().ok()) return service.has_server();
  }
  return false;
}

}  // namespace tare::agent
