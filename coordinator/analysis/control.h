// The run's checks of itself by arms whose answer is known: the control (the baseline again) and
// what follows from its spread, the smallest effect that the run could have seen.

#ifndef TARE_COORDINATOR_ANALYSIS_CONTROL_H_
#define TARE_COORDINATOR_ANALYSIS_CONTROL_H_

#include <span>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/metrics.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// The error rate of the control test over all cells of the run together.
inline constexpr double kControlAlpha = 0.01;

// Tests every metric of every control comparison, in their order: two-sided at kControlAlpha with
// Holm's adjustment over the run. REFUSED: the control differs. NOT_RUN: too few units, or the run
// goes on (the test is made once, at the stop).
std::vector<v1::ControlResult> TestControls(std::span<const MetricComparison> controls,
                                            const RunData& data);

// From the control's differences (`control` may be null: there is no control arm). `baseline` is
// the mean over the units of the comparison; of a metric that is no time only the share is set.
v1::SmallestVisible FindSmallestVisible(const MetricComparison* control, v1::Pairing pairing,
                                        double baseline);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_CONTROL_H_
