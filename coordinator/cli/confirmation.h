// The second session of a gate: what regressed is measured again, alone.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_CLI_CONFIRMATION_H_
#define TARE_COORDINATOR_CLI_CONFIRMATION_H_

#include <optional>

#include "tare/v1/experiment.pb.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// The experiment that measures again what `report` calls a regression: its comparisons and metrics,
// the arms that these need, all else as it was. Nothing when the experiment does not ask for it, or
// nothing regressed, or the run was refused.
std::optional<v1::Experiment> MakeConfirmation(const v1::Experiment& experiment,
                                               const v1::Report& report);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_CONFIRMATION_H_
