// Which CPU others keep busiest, and who does it.
//
// Two snapshots around a watched time are compared. CPU time of our own processes is taken off the
// CPU that they ran on last. Reading is thread-safe, comparing is pure.

#ifndef TARE_AGENT_PREFLIGHT_BUSY_CPU_H_
#define TARE_AGENT_PREFLIGHT_BUSY_CPU_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "agent/machine/counters.h"
#include "agent/machine/proc.h"

namespace tare::agent {

struct BusySnapshot {
  std::optional<CpuTimes> cpu_times;
  std::vector<ProcessStat> processes;
  std::vector<pid_t> own_pids;  // ascending, descendants included
};

// `own_pids`: processes that, with all their descendants, are ours.
BusySnapshot ReadBusySnapshot(const std::string& root, const std::vector<pid_t>& own_pids);

struct BusyCpu {
  int cpu = 0;
  double foreign_percent = 0;  // of this CPU's time, ours taken off
  std::string culprit;         // "pid 4711 'cc1plus' 93 % of cpu1", the busiest process of others
};

// Absent when /proc/stat could not be read or no tick has passed.
std::optional<BusyCpu> FindBusiestCpu(const BusySnapshot& before, const BusySnapshot& after);

}  // namespace tare::agent

#endif  // TARE_AGENT_PREFLIGHT_BUSY_CPU_H_
