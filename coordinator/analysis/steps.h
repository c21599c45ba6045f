// The named parts of the operation: where the difference comes from.

#ifndef TARE_COORDINATOR_ANALYSIS_STEPS_H_
#define TARE_COORDINATOR_ANALYSIS_STEPS_H_

#include <vector>

#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// One entry a step that took time in either arm, in the order in which the workload reports them.
// Means over the middle half of an arm's samples (between the quartiles of the whole): means add up
// as medians do not, and the middle half is what the median, the estimate of the whole, stands for.
std::vector<v1::StepResult> CompareSteps(const CellComparison& comparison);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_STEPS_H_
