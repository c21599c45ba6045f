// Designs by rounds: what gates with other thresholds, numbers of rounds and windows would have
// said of the rounds that were measured.
//
// For choosing a design, not for a verdict: the subsets overlap, so each cell comes with the number
// of subsets that do not.

#ifndef TARE_COORDINATOR_ANALYSIS_DECISION_SCAN_H_
#define TARE_COORDINATOR_ANALYSIS_DECISION_SCAN_H_

#include <span>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// One a metric and comparison with a control, of a run that is over and has more rounds than the
// smallest subset. The subsets come from the plan's seed. None where a metric is no quantile of the
// samples, or rests on too few of them.
std::vector<v1::DecisionScan> MakeDecisionScans(const RunData& data,
                                                std::span<const CellComparison> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_DECISION_SCAN_H_
