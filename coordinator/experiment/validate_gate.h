// Whether what makes an experiment a gate makes sense: threshold, metrics, early stopping,
// confirmation.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_VALIDATE_GATE_H_
#define TARE_COORDINATOR_EXPERIMENT_VALIDATE_GATE_H_

#include "coordinator/experiment/complaints.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// `experiment` as read, without defaults.
void ValidateGate(const v1::Experiment& experiment, const Complaints& complaints);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_VALIDATE_GATE_H_
