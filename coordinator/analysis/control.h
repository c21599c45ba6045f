// The run's checks of itself by arms whose answer is known: the control (the baseline again) and
// what follows from its spread, the smallest effect that the run could have seen.

#ifndef TARE_COORDINATOR_ANALYSIS_CONTROL_H_
#define TARE_COORDINATOR_ANALYSIS_CONTROL_H_

#include <span>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// The error rate of the control test over all cells of the run together.
inline constexpr double kControlAlpha = 0.01;

// Tests every control comparison, in their order: two-sided at kControlAlpha with Holm's adjustment
// over the run. REFUSED: the control differs. NOT_RUN: too few units, or the run goes on (the test
// is made once, at the stop).
std::vector<v1::ControlResult> TestControls(std::span<const CellComparison* const> controls,
                                            const RunData& data);

// From the control's differences (`control` may be null: there is no control arm).
v1::SmallestVisible FindSmallestVisible(const CellComparison* control, v1::Pairing pairing,
                                        double baseline_median_ns);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_CONTROL_H_
