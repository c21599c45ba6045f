// What must not reach the store.

#ifndef TARE_COORDINATOR_CLI_REDACT_H_
#define TARE_COORDINATOR_CLI_REDACT_H_

#include "absl/status/status.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// The experiment with every password in a dsn replaced by "***".
v1::Experiment RedactedExperiment(const v1::Experiment& experiment);

// InvalidArgument when the experiment was stored without a password that it needs.
absl::Status CheckResumable(const v1::Experiment& experiment);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_REDACT_H_
