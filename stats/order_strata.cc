#include "stats/order_strata.h"

#include "base/status.h"
#include "stats/grouped_median.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<StratifiedDifference> EstimateStratified(std::span<const double> baseline_first,
                                                        std::span<const double> candidate_first,
                                                        double tick) {
  RETURN_IF_ERROR(CheckValues(baseline_first, kStratumMin));
  RETURN_IF_ERROR(CheckValues(candidate_first, kStratumMin));
  ASSIGN_OR_RETURN(const double with_baseline_first, GroupedMedian(baseline_first, tick));
  ASSIGN_OR_RETURN(const double with_candidate_first, GroupedMedian(candidate_first, tick));
  return StratifiedDifference{(with_baseline_first + with_candidate_first) / 2,
                              (with_baseline_first - with_candidate_first) / 2};
}

}  // namespace tare::stats
