// What the checks judge: the machine now, and its counters now and at an earlier moment.
//
// Values only; not a check itself.

#ifndef TARE_AGENT_PREFLIGHT_LOOK_H_
#define TARE_AGENT_PREFLIGHT_LOOK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "agent/machine/counters.h"
#include "agent/preflight/busy_cpu.h"
#include "base/clock.h"

namespace tare::agent {

// Counters that only grow, at one moment.
struct LookCounters {
  absl::Duration at;  // of Clock::Monotonic
  MachineCounters machine;
  std::optional<int64_t> pages_swapped_in;
  std::optional<int64_t> pages_swapped_out;
  std::optional<int64_t> thermal_events;  // of all CPUs and packages
};

LookCounters ReadLookCounters(const std::string& root, Clock& clock,
                              const std::vector<std::string>& throttle_files);

struct Look {
  std::string root;
  std::string data_directory;
  Clock* clock = nullptr;
  LookCounters earlier = {};
  LookCounters now = {};
  std::optional<BusyCpu> busiest = {};  // absent when not watched, or /proc/stat does not say
  bool is_cpu_watched = false;

  absl::Duration elapsed() const { return now.at - earlier.at; }
};

}  // namespace tare::agent

#endif  // TARE_AGENT_PREFLIGHT_LOOK_H_
