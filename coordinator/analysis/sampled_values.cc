#include "coordinator/analysis/sampled_values.h"

#include <set>

namespace tare::coordinator {

void SampledValues::Add(double value, const std::vector<size_t>& groups) {
  values.push_back(value);
  if (scope != v1::SCOPE_UNSPECIFIED) hosts.push_back(groups.front());
}

std::vector<double> SampledValues::Units() const {
  return scope == v1::SCOPE_HOSTS ? stats::GroupMeans(values, hosts) : values;
}

size_t SampledValues::UnitsCount() const {
  if (scope == v1::SCOPE_UNSPECIFIED || values.empty()) return values.size();
  const size_t hosts_count = std::set<size_t>(hosts.begin(), hosts.end()).size();
  return scope == v1::SCOPE_HOSTS ? hosts_count : values.size() - hosts_count + 1;
}

absl::StatusOr<stats::StandardError> SampledValues::Error() const {
  return scope == v1::SCOPE_THESE_HOSTS ? stats::StandardErrorWithin(values, hosts)
                                        : stats::StandardErrorOf(Units());
}

}  // namespace tare::coordinator
