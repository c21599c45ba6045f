// The machine's own counters that only grow: CPU time, throttling, pressure.
//
// Read twice; the differences say what happened in between. Thread-safe reads. `root` is "/" except
// in tests. What cannot be read is absent.

#ifndef TARE_AGENT_MACHINE_COUNTERS_H_
#define TARE_AGENT_MACHINE_COUNTERS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare::agent {

struct CpuTicks {
  int64_t busy = 0;   // user, nice, system, interrupts
  int64_t idle = 0;   // waiting for a disk is idle too
  int64_t steal = 0;  // ready to run, but the hypervisor ran something else

  CpuTicks operator-(const CpuTicks& earlier) const {
    return {busy - earlier.busy, idle - earlier.idle, steal - earlier.steal};
  }
};

struct CpuTimes {
  CpuTicks all;
  std::map<int, CpuTicks> cpus;  // those that are online, by number
};

// Of /proc/stat; absent when it is not in that form.
std::optional<CpuTimes> ParseCpuTimes(absl::string_view proc_stat);

// The "some" line's total of a file in /proc/pressure.
std::optional<int64_t> ParsePressureNs(absl::string_view pressure);

struct MachineCounters {
  std::optional<CpuTimes> cpu_times;
  std::optional<int64_t> throttled_ns;
  std::optional<int64_t> pressure_cpu_ns;
  std::optional<int64_t> pressure_io_ns;
  std::optional<int64_t> pressure_memory_ns;
};

// `throttle_files` as from FindThrottleFiles.
MachineCounters ReadMachineCounters(const std::string& root,
                                    const std::vector<std::string>& throttle_files);

// now - earlier where both are known.
std::optional<int64_t> Difference(std::optional<int64_t> earlier, std::optional<int64_t> now);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_COUNTERS_H_
