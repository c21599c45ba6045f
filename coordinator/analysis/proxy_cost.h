// What the way through a proxy costs by itself.

#ifndef TARE_COORDINATOR_ANALYSIS_PROXY_COST_H_
#define TARE_COORDINATOR_ANALYSIS_PROXY_COST_H_

#include <cstdint>
#include <optional>
#include <span>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/delay_sweep.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// `arm` minus an arm with the same settings that goes to the service behind the proxy, at a delay
// of zero: the estimate of the comparison of the two. Absent without such an arm, comparison or
// level.
std::optional<v1::Estimate> FindProxyCost(const RunData& data, const DelaySweep& sweep,
                                          uint32_t arm,
                                          std::span<const CellComparison> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_PROXY_COST_H_
