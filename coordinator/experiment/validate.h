// Whether the values of an experiment make sense together: what its form alone cannot tell.
//
// Pure function, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_VALIDATE_H_
#define TARE_COORDINATOR_EXPERIMENT_VALIDATE_H_

#include "coordinator/experiment/positions.h"
#include "coordinator/experiment/violations.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

inline constexpr int32_t kPinnedCpuMax = 8191;

// `experiment` as read, without defaults; `positions` of what was written. What could not be read
// is not complained about again.
void Validate(const v1::Experiment& experiment, const PositionMap& positions,
              Violations* violations);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_VALIDATE_H_
