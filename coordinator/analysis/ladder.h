// The sensitivity study: what a set-up finds of delays whose size is known.
//
// The unit is the replicate, the processes of one round, one at every rung. Passes are climbs of
// the whole ladder; that they differ is told, and not hidden in the interval.

#ifndef TARE_COORDINATOR_ANALYSIS_LADDER_H_
#define TARE_COORDINATOR_ANALYSIS_LADDER_H_

#include <span>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/rounds.h"
#include "coordinator/analysis/units.h"

namespace tare::coordinator {

struct LadderResult {
  v1::LadderReport report;
  // Row 17: the rung without a delay differs from 0 with 99 %, the longest delay does not; and row
  // 3 for every rung: the delay that was applied is not the one that was asked.
  std::vector<v1::Refusal> refusals;
};

// `rungs`: the comparisons of the known-delay arm, one a cell, in the order of the plan.
// Requires: the plan is a ladder's. Errors as of MakeComparisons.
absl::StatusOr<LadderResult> MeasureLadder(const RunData& data, const Rounds& rounds,
                                           std::span<const CellComparison> rungs);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_LADDER_H_
