#include "agent/machine/counters.h"

#include <array>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/machine/cgroup.h"
#include "base/files.h"

namespace tare::agent {
namespace {

// "cpu3 user nice system idle iowait irq softirq steal …". Guest time is part of user already.
std::optional<CpuTicks> ParseTicks(const std::vector<absl::string_view>& fields) {
  std::array<int64_t, 8> ticks = {};
  if (fields.size() <= ticks.size()) return std::nullopt;
  for (size_t i = 0; i < ticks.size(); ++i) {
    if (!absl::SimpleAtoi(fields[i + 1], &ticks[i])) return std::nullopt;
  }
  const auto [user, nice, system, idle, io_wait, interrupt, soft_interrupt, steal] = ticks;
  return CpuTicks{user + nice + system + interrupt + soft_interrupt, idle + io_wait, steal};
}

std::optional<int64_t> ReadPressureNs(const std::string& root, absl::string_view resource) {
  const auto text = ReadFile(absl::StrCat(root, "/proc/pressure/", resource));
  if (!text.ok()) return std::nullopt;
  return ParsePressureNs(*text);
}

}  // namespace

std::optional<CpuTimes> ParseCpuTimes(absl::string_view proc_stat) {
  CpuTimes times;
  bool has_all = false;
  for (absl::string_view line : absl::StrSplit(proc_stat, '\n')) {
    if (!absl::StartsWith(line, "cpu")) break;  // they come first
    const std::vector<absl::string_view> fields = absl::StrSplit(line, ' ', absl::SkipEmpty());
    const auto ticks = ParseTicks(fields);
    if (!ticks.has_value()) return std::nullopt;
    int cpu = 0;
    if (fields[0] == "cpu") {
      times.all = *ticks;
      has_all = true;
    } else if (absl::SimpleAtoi(absl::StripPrefix(fields[0], "cpu"), &cpu)) {
      times.cpus[cpu] = *ticks;
    }
  }
  if (!has_all || times.cpus.empty()) return std::nullopt;
  return times;
}

std::optional<int64_t> ParsePressureNs(absl::string_view pressure) {
  for (absl::string_view line : absl::StrSplit(pressure, '\n')) {
    if (!absl::StartsWith(line, "some ")) continue;
    constexpr absl::string_view kTotal = "total=";
    const size_t begin = line.find(kTotal);
    int64_t total_us = 0;
    if (begin != absl::string_view::npos &&
        absl::SimpleAtoi(line.substr(begin + kTotal.size()), &total_us)) {
      return total_us * 1'000;
    }
  }
  return std::nullopt;
}

MachineCounters ReadMachineCounters(const std::string& root,
                                    const std::vector<std::string>& throttle_files) {
  MachineCounters counters;
  if (const auto text = ReadFile(absl::StrCat(root, "/proc/stat")); text.ok()) {
    counters.cpu_times = ParseCpuTimes(*text);
  }
  counters.throttled_ns = ReadThrottledNs(throttle_files);
  counters.pressure_cpu_ns = ReadPressureNs(root, "cpu");
  counters.pressure_io_ns = ReadPressureNs(root, "io");
  counters.pressure_memory_ns = ReadPressureNs(root, "memory");
  return counters;
}

std::optional<int64_t> Difference(std::optional<int64_t> earlier, std::optional<int64_t> now) {
  if (!earlier.has_value() || !now.has_value()) return std::nullopt;
  return *now - *earlier;
}

}  // namespace tare::agent
