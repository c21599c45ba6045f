#include "coordinator/analysis/levels.h"

#include <map>
#include <string>

#include "absl/strings/str_cat.h"

namespace tare::coordinator {
namespace {

constexpr char kHostLevel[] = "host";

std::string HostOf(const UsedTrial& trial) {
  const v1::Machine& machine = trial.data->record.machine();
  return absl::StrCat(machine.host(), "\n", machine.machine_id());
}

std::string HostsOf(const Unit& unit) {
  const std::string baseline = HostOf(*unit.baseline_trial);
  const std::string candidate = HostOf(*unit.candidate_trial);
  return baseline == candidate ? baseline : absl::StrCat(baseline, "\n", candidate);
}

}  // namespace

void AssignLevels(v1::Scope scope, std::span<CellComparison> comparisons) {
  for (CellComparison& comparison : comparisons) {
    std::map<std::string, size_t> hosts;
    std::vector<size_t> host_of;
    for (const Unit& unit : comparison.units) {
      host_of.push_back(hosts.emplace(HostsOf(unit), hosts.size()).first->second);
    }
    if (hosts.size() < 2) continue;
    comparison.levels = {{kHostLevel, hosts.size()}};
    comparison.scope = scope == v1::SCOPE_HOSTS ? v1::SCOPE_HOSTS : v1::SCOPE_THESE_HOSTS;
    for (size_t i = 0; i < host_of.size(); ++i) comparison.units[i].groups = {host_of[i]};
  }
}

}  // namespace tare::coordinator
