// What the looks at the machine say over all trials, and whether a cause refuses the run.

#ifndef TARE_COORDINATOR_ANALYSIS_MACHINE_CHECKS_H_
#define TARE_COORDINATOR_ANALYSIS_MACHINE_CHECKS_H_

#include <string>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/finding.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// One entry a check name, in the order of first appearance. `trials_count` is where it ran.
std::vector<v1::MachineCheck> AggregateMachineChecks(const RunData& data);

// `not-idle`, `throttled`, and any other refusal code that a check names and a strict run hit.
// Refused under strict gates only; otherwise a cause is WARNED and the consequences decide.
std::vector<Finding> CheckCauses(const RunData& data);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_MACHINE_CHECKS_H_
