// Why a trial ended, written into its record once: the first reason stands.
//
// Not thread-safe.

#ifndef TARE_AGENT_TRIAL_END_H_
#define TARE_AGENT_TRIAL_END_H_

#include <string>

#include "absl/status/status.h"
#include "agent/service_set.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

class TrialEnd {
 public:
  // All must outlive it.
  TrialEnd(const v1::TrialSpec* spec, ServiceSet* services, v1::TrialRecord* record)
      : spec_(spec), services_(services), record_(record) {}

  bool is_written() const { return record_->outcome() != v1::TRIAL_OUTCOME_UNSPECIFIED; }

  // Each writes the reason, unless there is one, and returns it.
  absl::Status Fail(v1::FailureSource source, const absl::Status& status);
  absl::Status Refuse(const std::string& code, const absl::Status& status);
  absl::Status Cancel(const absl::Status& status);

  // `status` is why the services of the trial do not all run. A server is a measured program: that
  // it is absent, fails or dies is its own fault, not that of a service.
  absl::Status FailService(const absl::Status& status);

  // Ends the trial when this program is not the one that the run began with: a resumed run goes on
  // only with what it has measured.
  absl::Status CheckProgram(const std::string& role, const std::string& arm,
                            const std::string& path);

  // Fails the trial when one of its services is gone: whatever else is seen then follows from that.
  absl::Status CheckServices();

 private:
  // Whether the first service that does not run is a server.
  bool IsServerGone() const;

  const v1::TrialSpec* const spec_;
  ServiceSet* const services_;
  v1::TrialRecord* const record_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_TRIAL_END_H_
