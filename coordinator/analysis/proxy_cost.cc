#include "coordinator/analysis/proxy_cost.h"

#include <vector>

#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/turns.h"

namespace tare::coordinator {

std::optional<v1::Estimate> FindProxyCost(const RunData& data, const DelaySweep& sweep,
                                          uint32_t arm,
                                          std::span<const CellComparison> comparisons) {
  if (sweep.levels.front().asked_ns != 0) return std::nullopt;
  const v1::PlannedArm& through = data.plan.arms(static_cast<int>(arm));
  for (const CellComparison& comparison : comparisons) {
    const bool is_candidate = comparison.candidate == arm;
    if (comparison.planned->kind() != v1::COMPARISON_KIND_SUBJECT ||
        comparison.cell != sweep.levels.front().cell ||
        (!is_candidate && comparison.baseline != arm)) {
      continue;
    }
    const v1::PlannedArm& other =
        data.plan.arms(static_cast<int>(is_candidate ? comparison.baseline : comparison.candidate));
    if (ServiceOf(data.experiment, other) != sweep.proxy->proxy().to() ||
        !HasSameSettings(through, other)) {
      continue;
    }
    std::vector<double> differences = comparison.Differences();
    if (!is_candidate) {
      for (double& difference : differences) difference = -difference;
    }
    v1::Estimate estimate = MakeEstimate(differences, kConfidence);
    if (estimate.has_value_ns()) return estimate;
  }
  return std::nullopt;
}

}  // namespace tare::coordinator
