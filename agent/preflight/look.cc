#include "agent/preflight/look.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "agent/preflight/cpu_files.h"
#include "base/files.h"

namespace tare::agent {
namespace {

void AddSwap(absl::string_view vmstat, LookCounters& counters) {
  for (absl::string_view line : absl::StrSplit(vmstat, '\n')) {
    int64_t pages = 0;
    if (absl::ConsumePrefix(&line, "pswpin ")) {
      if (absl::SimpleAtoi(line, &pages)) counters.pages_swapped_in = pages;
    } else if (absl::ConsumePrefix(&line, "pswpout ")) {
      if (absl::SimpleAtoi(line, &pages)) counters.pages_swapped_out = pages;
    }
  }
}

std::optional<int64_t> ReadThermalEvents(const std::string& root) {
  std::optional<int64_t> events;
  for (const absl::string_view name : {kCoreThrottleFile, kPackageThrottleFile}) {
    for (const CpuFile& file : ReadCpuFiles(root, name)) {
      int64_t count = 0;
      if (absl::SimpleAtoi(file.text, &count)) events = events.value_or(0) + count;
    }
  }
  return events;
}

}  // namespace

LookCounters ReadLookCounters(const std::string& root, Clock& clock,
                              const std::vector<std::string>& throttle_files) {
  LookCounters counters;
  counters.at = clock.Monotonic();
  counters.machine = ReadMachineCounters(root, throttle_files);
  if (const auto text = ReadFile(absl::StrCat(root, "/proc/vmstat")); text.ok()) {
    AddSwap(*text, counters);
  }
  counters.thermal_events = ReadThermalEvents(root);
  return counters;
}

}  // namespace tare::agent
