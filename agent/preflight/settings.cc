// Rules about the clock and the CPUs' clock rate: set once by whoever runs the machine.

#include <algorithm>
#include <array>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "agent/preflight/cpu_files.h"
#include "agent/preflight/rules.h"
#include "base/files.h"

namespace tare::agent {
namespace {

constexpr char kClockSourceFile[] =
    "/sys/devices/system/clocksource/clocksource0/current_clocksource";
constexpr char kIntelTurboFile[] = "/sys/devices/system/cpu/intel_pstate/no_turbo";
constexpr char kBoostFile[] = "/sys/devices/system/cpu/cpufreq/boost";

// Clocks that a program reads without entering the kernel, in tens of nanoseconds.
constexpr std::array<absl::string_view, 7> kFastClocks = {
    "tsc", "kvm-clock",        "hyperv_clocksource_tsc_page", "arch_sys_counter", "timebase",
    "tod", "riscv_clocksource"};

// Steps of the clock that are compared for the smallest one, and reads after which it stands still.
constexpr int kTickSteps = 200;
constexpr int kTickReadsMax = 500'000;

std::optional<std::string> ReadTrimmed(const std::string& root, absl::string_view path) {
  const auto text = ReadFile(absl::StrCat(root, path));
  if (!text.ok()) return std::nullopt;
  return std::string(absl::StripAsciiWhitespace(*text));
}

}  // namespace

Finding LookAtClockSource(const Look& look, double /*limit*/) {
  const auto source = ReadTrimmed(look.root, kClockSourceFile);
  if (!source.has_value()) return Finding::NotRun(absl::StrCat(kClockSourceFile, " is absent"));
  Finding finding;
  finding.is_fit = absl::c_linear_search(kFastClocks, *source);
  finding.culprit = absl::StrCat("clock source '", *source, "'");
  return finding;
}

// The smallest step between two reads: the clock's tick, or the time of a read where that is
// longer.
Finding LookAtClockTick(const Look& look, double limit) {
  absl::Duration smallest = absl::InfiniteDuration();
  absl::Duration last = look.clock->Monotonic();
  int steps = 0;
  for (int reads = 0; reads < kTickReadsMax && steps < kTickSteps; ++reads) {
    const absl::Duration now = look.clock->Monotonic();
    if (now > last) {
      smallest = std::min(smallest, now - last);
      ++steps;
    }
    last = now;
  }
  if (steps == 0) {
    return Finding::NotRun(absl::StrCat("the clock stood still for ", kTickReadsMax, " reads"));
  }
  return Finding::AtMost(limit, absl::ToDoubleNanoseconds(smallest), "the machine's clock");
}

Finding LookAtGovernor(const Look& look, double limit) {
  const std::vector<CpuFile> governors = ReadCpuFiles(look.root, kGovernorFile);
  if (governors.empty()) {
    return Finding::NotRun(absl::StrCat(kCpuDirectory, "/cpu0/", kGovernorFile, " is absent"));
  }
  std::map<std::string, std::vector<int>> slow;
  int slow_count = 0;
  for (const CpuFile& governor : governors) {
    if (governor.text == "performance") continue;
    slow[governor.text].push_back(governor.cpu);
    ++slow_count;
  }
  std::string culprit;
  for (const auto& [governor, cpus] : slow) {
    absl::StrAppend(&culprit, culprit.empty() ? "" : ", ", FormatCpus(cpus), " use '", governor,
                    "'");
  }
  return Finding::AtMost(limit, slow_count, culprit);
}

Finding LookAtTurbo(const Look& look, double /*limit*/) {
  Finding finding;
  if (const auto no_turbo = ReadTrimmed(look.root, kIntelTurboFile)) {
    finding.is_fit = *no_turbo == "1";
    finding.culprit = absl::StrCat(kIntelTurboFile, " is ", *no_turbo);
  } else if (const auto boost = ReadTrimmed(look.root, kBoostFile)) {
    finding.is_fit = *boost == "0";
    finding.culprit = absl::StrCat(kBoostFile, " is ", *boost);
  } else {
    return Finding::NotRun(absl::StrCat(kIntelTurboFile, " and ", kBoostFile, " are absent"));
  }
  return finding;
}

}  // namespace tare::agent
