// Whether services make sense, and what refers to them: `uses`, delays in `sweep`, `explain`.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_VALIDATE_SERVICES_H_
#define TARE_COORDINATOR_EXPERIMENT_VALIDATE_SERVICES_H_

#include "coordinator/experiment/complaints.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// `experiment` as read, without defaults.
void ValidateServices(const v1::Experiment& experiment, const Complaints& complaints);

// A factor of which FindDelayedProxy knows the proxy.
void ValidateDelayFactor(const v1::Experiment& experiment, const v1::Factor& factor,
                         const Complaints& complaints);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_VALIDATE_SERVICES_H_
