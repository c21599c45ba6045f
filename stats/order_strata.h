// The paired difference of two arms in one process, freed of the effect of their order.
//
// Going second costs or saves time whatever the arm is. Taking the median of the differences of
// either order by itself and averaging the two removes that exactly, however the orders happened to
// be mixed; half their difference is the effect of the order.
//
// Pure function; safe to call from any thread.
// Source: the two-period crossover design (Jones and Kenward, "Design and Analysis of Cross-Over
// Trials"), with grouped medians in place of means.

#ifndef TARE_STATS_ORDER_STRATA_H_
#define TARE_STATS_ORDER_STRATA_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// A stratum of fewer samples is not used: its median would be mostly noise.
inline constexpr size_t kStratumMin = 5;

struct StratifiedDifference {
  double value = 0;  // (median, baseline first + median, candidate first) / 2
  // (median, baseline first - median, candidate first) / 2; negative: going second is faster.
  double position_effect = 0;
};

// `baseline_first` holds candidate - baseline of the sets in which the baseline ran before the
// candidate, `candidate_first` of the others; `tick` as in GroupedMedian.
// Errors: those of CheckValues with at least kStratumMin values in each, and of GroupedMedian.
absl::StatusOr<StratifiedDifference> EstimateStratified(std::span<const double> baseline_first,
                                                        std::span<const double> candidate_first,
                                                        double tick);

}  // namespace tare::stats

#endif  // TARE_STATS_ORDER_STRATA_H_
