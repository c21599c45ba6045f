#include "stats/carry_over.h"

#include "base/status.h"
#include "stats/grouped_median.h"
#include "stats/order_strata.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

absl::StatusOr<double> StratumMedian(std::span<const double> values, double tick) {
  RETURN_IF_ERROR(CheckValues(values, kStratumMin));
  return GroupedMedian(values, tick);
}

}  // namespace

absl::StatusOr<double> DifferenceAfterSame(std::span<const SamplesAfter> predecessors,
                                           double tick) {
  if (predecessors.empty()) {
    return MakeError(absl::StatusCode::kFailedPrecondition, "no predecessor is given");
  }
  double sum = 0;
  for (const SamplesAfter& after : predecessors) {
    ASSIGN_OR_RETURN(const double candidate, StratumMedian(after.candidate, tick));
    ASSIGN_OR_RETURN(const double baseline, StratumMedian(after.baseline, tick));
    sum += candidate - baseline;
  }
  return sum / static_cast<double>(predecessors.size());
}

absl::StatusOr<CarryOver> EstimateCarryOver(const SamplesAfter& after_baseline,
                                            const SamplesAfter& after_candidate, double tick) {
  ASSIGN_OR_RETURN(const double baseline_baseline, StratumMedian(after_baseline.baseline, tick));
  ASSIGN_OR_RETURN(const double baseline_candidate, StratumMedian(after_baseline.candidate, tick));
  ASSIGN_OR_RETURN(const double candidate_baseline, StratumMedian(after_candidate.baseline, tick));
  ASSIGN_OR_RETURN(const double candidate_candidate,
                   StratumMedian(after_candidate.candidate, tick));
  CarryOver result;
  result.on_baseline = candidate_baseline - baseline_baseline;
  result.on_candidate = candidate_candidate - baseline_candidate;
  result.mean = (result.on_baseline + result.on_candidate) / 2;
  return result;
}

}  // namespace tare::stats
