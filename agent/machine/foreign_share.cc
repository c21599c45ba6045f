#include "agent/machine/foreign_share.h"

#include <algorithm>

#include "agent/machine/proc.h"

namespace tare::agent {

std::optional<double> ForeignCpuShare(const CpuTicks& ticks, int cpus_count, absl::Duration wall,
                                      std::optional<int64_t> own_cpu_ns) {
  if (wall < kForeignShareWallMin || cpus_count < 1 || !own_cpu_ns.has_value()) return std::nullopt;
  const double capacity_ns = absl::ToDoubleNanoseconds(wall) * cpus_count;
  const double not_busy_ns = static_cast<double>((ticks.idle + ticks.steal) * kTickNs);
  const double foreign_ns = capacity_ns - not_busy_ns - static_cast<double>(*own_cpu_ns);
  return std::clamp(foreign_ns / capacity_ns, 0.0, 1.0);
}

}  // namespace tare::agent
