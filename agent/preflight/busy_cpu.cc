#include "agent/preflight/busy_cpu.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_format.h"

namespace tare::agent {
namespace {

constexpr char kNoCulprit[] = "no single process: interrupts, or many short-lived ones";

// Ticks that a process used between the snapshots.
struct Use {
  const ProcessStat* process;
  int64_t ticks = 0;
  bool is_own = false;
};

std::vector<Use> UsesBetween(const BusySnapshot& before, const BusySnapshot& after) {
  std::map<std::pair<pid_t, int64_t>, int64_t> ticks_before;
  for (const ProcessStat& process : before.processes) {
    ticks_before[{process.pid, process.start_ticks}] = process.cpu_ticks;
  }
  std::vector<Use> uses;
  for (const ProcessStat& process : after.processes) {
    const auto found = ticks_before.find({process.pid, process.start_ticks});
    const int64_t earlier = found == ticks_before.end() ? 0 : found->second;
    uses.push_back({&process, process.cpu_ticks - earlier,
                    std::binary_search(after.own_pids.begin(), after.own_pids.end(), process.pid)});
  }
  return uses;
}

std::string Culprit(const std::vector<Use>& uses, int64_t ticks_watched) {
  const Use* worst = nullptr;
  for (const Use& use : uses) {
    if (!use.is_own && use.ticks > 0 && (worst == nullptr || use.ticks > worst->ticks)) {
      worst = &use;
    }
  }
  if (worst == nullptr) return kNoCulprit;
  const double percent =
      100.0 * static_cast<double>(worst->ticks) / static_cast<double>(ticks_watched);
  return absl::StrFormat("pid %d '%s' %.0f %% of cpu%d", worst->process->pid, worst->process->name,
                         percent, worst->process->cpu);
}

}  // namespace

BusySnapshot ReadBusySnapshot(const std::string& root, const std::vector<pid_t>& own_pids) {
  BusySnapshot snapshot;
  // Without a list of children only the processes named are known to be ours.
  snapshot.own_pids = ReadProcessTrees(root, own_pids).value_or(own_pids);
  std::sort(snapshot.own_pids.begin(), snapshot.own_pids.end());
  snapshot.processes = ReadAllProcesses(root);
  snapshot.cpu_times = ReadMachineCounters(root, {}).cpu_times;
  return snapshot;
}

std::optional<BusyCpu> FindBusiestCpu(const BusySnapshot& before, const BusySnapshot& after) {
  if (!before.cpu_times.has_value() || !after.cpu_times.has_value()) return std::nullopt;
  const std::vector<Use> uses = UsesBetween(before, after);
  std::map<int, int64_t> own_ticks;
  for (const Use& use : uses) {
    if (use.is_own) own_ticks[use.process->cpu] += use.ticks;
  }
  std::optional<BusyCpu> busiest;
  int64_t ticks_watched = 0;
  for (const auto& [cpu, now] : after.cpu_times->cpus) {
    const auto earlier = before.cpu_times->cpus.find(cpu);
    if (earlier == before.cpu_times->cpus.end()) continue;
    const CpuTicks ticks = now - earlier->second;
    const int64_t all = ticks.busy + ticks.idle + ticks.steal;
    if (all <= 0) continue;
    const int64_t foreign = std::max<int64_t>(0, ticks.busy - own_ticks[cpu]);
    const double percent = 100.0 * static_cast<double>(foreign) / static_cast<double>(all);
    if (busiest.has_value() && percent <= busiest->foreign_percent) continue;
    busiest = BusyCpu{cpu, percent, ""};
    ticks_watched = all;
  }
  if (busiest.has_value()) busiest->culprit = Culprit(uses, ticks_watched);
  return busiest;
}

}  // namespace tare::agent
