// The files of one name that each CPU has below /sys/devices/system/cpu.
//
// Thread-safe reads. `root` is "/" except in tests.

#ifndef TARE_AGENT_PREFLIGHT_CPU_FILES_H_
#define TARE_AGENT_PREFLIGHT_CPU_FILES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare::agent {

inline constexpr absl::string_view kCpuDirectory = "/sys/devices/system/cpu";
inline constexpr absl::string_view kGovernorFile = "cpufreq/scaling_governor";
inline constexpr absl::string_view kCoreThrottleFile = "thermal_throttle/core_throttle_count";
inline constexpr absl::string_view kPackageThrottleFile = "thermal_throttle/package_throttle_count";

// Most CPUs that are looked at.
inline constexpr size_t kCpusMax = 8192;

struct CpuFile {
  int cpu = 0;
  std::string text;  // without white space around it
};

// In the order of the CPUs; empty when no CPU has the file.
std::vector<CpuFile> ReadCpuFiles(const std::string& root, absl::string_view name);

// "cpu0-3,6" for 0, 1, 2, 3, 6. Requires: ascending.
std::string FormatCpus(const std::vector<int>& cpus);

}  // namespace tare::agent

#endif  // TARE_AGENT_PREFLIGHT_CPU_FILES_H_
