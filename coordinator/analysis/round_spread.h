// Designs by rounds: how far the rounds lie apart in each metric.

#ifndef TARE_COORDINATOR_ANALYSIS_ROUND_SPREAD_H_
#define TARE_COORDINATOR_ANALYSIS_ROUND_SPREAD_H_

#include <span>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// One a metric, cell and baseline, with a ratio for every arm that is compared with it. None where
// a metric is no quantile of the samples or a process has too few of them.
std::vector<v1::RoundSpread> MakeRoundSpreads(const RunData& data,
                                              std::span<const CellComparison> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_ROUND_SPREAD_H_
