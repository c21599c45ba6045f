// Whether the spread between processes comes from where they ran.

#ifndef TARE_COORDINATOR_ANALYSIS_PLACEMENT_H_
#define TARE_COORDINATOR_ANALYSIS_PLACEMENT_H_

#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Groups the units by "same core" or "other core" of the workload and the processes that serve it,
// or by CPU where no service is recorded. WARNED: the groups explain more than half of the variance
// of the baseline's medians. NOT_RUN: no placement is recorded, or the groups cannot be compared.
v1::PlacementResult ExplainByPlacement(const CellComparison& comparison, v1::Pairing pairing);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_PLACEMENT_H_
