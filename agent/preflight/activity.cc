// Rules about what keeps the CPUs from us: others' work, waiting, limits, heat.

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "agent/preflight/cpu_files.h"
#include "agent/preflight/rules.h"
#include "base/files.h"

namespace tare::agent {
namespace {

constexpr char kNoTimePassed[] = "no time has passed since the last look";

Finding Absent(absl::string_view path) { return Finding::NotRun(absl::StrCat(path, " is absent")); }

Finding LookAtPressure(const Look& look, double limit,
                       std::optional<int64_t> MachineCounters::*which, absl::string_view resource) {
  const auto stalled_ns = Difference(look.earlier.machine.*which, look.now.machine.*which);
  if (!stalled_ns.has_value()) return Absent(absl::StrCat("/proc/pressure/", resource));
  if (look.elapsed() <= absl::ZeroDuration()) return Finding::NotRun(kNoTimePassed);
  const double percent =
      100.0 * static_cast<double>(*stalled_ns) / absl::ToDoubleNanoseconds(look.elapsed());
  return Finding::AtMost(limit, percent, absl::StrCat("processes that wait for ", resource));
}

}  // namespace

Finding LookAtBusyCpu(const Look& look, double limit) {
  if (!look.is_cpu_watched) return Finding::NotRun("the CPUs were not watched this time");
  if (!look.busiest.has_value()) {
    return Finding::NotRun("/proc/stat is absent or does not move");
  }
  return Finding::AtMost(limit, look.busiest->foreign_percent, look.busiest->culprit);
}

Finding LookAtLoad(const Look& look, double limit) {
  const auto text = ReadFile(absl::StrCat(look.root, "/proc/loadavg"));
  const auto& cpu_times = look.now.machine.cpu_times;
  double load = 0;
  if (!text.ok() || !cpu_times.has_value() ||
      !absl::SimpleAtod(text->substr(0, text->find(' ')), &load)) {
    return Absent("/proc/loadavg");
  }
  return Finding::AtMost(limit, load / static_cast<double>(cpu_times->cpus.size()),
                         "processes of the last minute");
}

Finding LookAtPressureCpu(const Look& look, double limit) {
  return LookAtPressure(look, limit, &MachineCounters::pressure_cpu_ns, "cpu");
}

Finding LookAtPressureIo(const Look& look, double limit) {
  return LookAtPressure(look, limit, &MachineCounters::pressure_io_ns, "io");
}

Finding LookAtPressureMemory(const Look& look, double limit) {
  return LookAtPressure(look, limit, &MachineCounters::pressure_memory_ns, "memory");
}

Finding LookAtSteal(const Look& look, double limit) {
  const auto& earlier = look.earlier.machine.cpu_times;
  const auto& now = look.now.machine.cpu_times;
  if (!earlier.has_value() || !now.has_value()) return Absent("/proc/stat");
  const CpuTicks ticks = now->all - earlier->all;
  const int64_t all = ticks.busy + ticks.idle + ticks.steal;
  if (all <= 0) return Finding::NotRun(kNoTimePassed);
  const double percent = 100.0 * static_cast<double>(ticks.steal) / static_cast<double>(all);
  return Finding::AtMost(limit, percent, "other guests of this machine's host");
}

Finding LookAtThrottling(const Look& look, double limit) {
  const auto ns = Difference(look.earlier.machine.throttled_ns, look.now.machine.throttled_ns);
  if (!ns.has_value()) return Finding::NotRun("no cpu.stat of our cgroup counts throttling");
  return Finding::AtMost(limit, static_cast<double>(*ns) / 1e6, "the CPU limit of our cgroup");
}

Finding LookAtThermal(const Look& look, double limit) {
  const auto events = Difference(look.earlier.thermal_events, look.now.thermal_events);
  if (!events.has_value()) return Absent(absl::StrCat(kCpuDirectory, "/cpu0/", kCoreThrottleFile));
  return Finding::AtMost(limit, static_cast<double>(*events), "a CPU that was too hot");
}

}  // namespace tare::agent
