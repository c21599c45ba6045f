// Whether a ladder makes sense: its rungs, and what of the rest goes with it.

#ifndef TARE_COORDINATOR_EXPERIMENT_VALIDATE_LADDER_H_
#define TARE_COORDINATOR_EXPERIMENT_VALIDATE_LADDER_H_

#include "coordinator/experiment/complaints.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// A line through fewer rungs is none.
inline constexpr int kRungsMin = 3;
inline constexpr int kRungsMax = 16;
inline constexpr int64_t kRungNsMax = 60'000'000'000;

// Requires: the experiment has a ladder.
void ValidateLadder(const v1::Experiment& experiment, const Complaints& complaints);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_VALIDATE_LADDER_H_
