#include "agent/preflight/preflight.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "agent/machine/cgroup.h"
#include "agent/preflight/busy_cpu.h"
#include "agent/preflight/rules.h"

namespace tare::agent {
namespace {

constexpr absl::Duration kBusyWatch = absl::Seconds(1);
constexpr int kBusyWatchesMax = 2;

bool IsUnfit(const v1::Check& check) {
  return check.status() == v1::CHECK_STATUS_WARNED || check.status() == v1::CHECK_STATUS_REFUSED;
}

// Whether waiting longer may help. `checks` are in the order of Rules().
bool IsWorthWaiting(const std::vector<v1::Check>& checks) {
  const std::span<const Rule> rules = Rules();
  for (size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].is_passing && IsUnfit(checks[i])) return true;
  }
  return false;
}

std::vector<v1::Check> JudgeAll(const Look& look, v1::Gates gates, v1::CheckPhase phase) {
  std::vector<v1::Check> checks;
  for (const Rule& rule : Rules()) checks.push_back(Judge(rule, look, gates, phase));
  return checks;
}

// A single busy second may be bad luck (a timer, a cron job), two in a row are not.
std::optional<BusyCpu> WatchCpus(const PreflightOptions& options) {
  const std::span<const Rule> rules = Rules();
  const auto rule =
      absl::c_find_if(rules, [](const Rule& candidate) { return candidate.look == LookAtBusyCpu; });
  std::optional<BusyCpu> busiest;
  for (int i = 0; i < kBusyWatchesMax; ++i) {
    const BusySnapshot before = ReadBusySnapshot(options.root, options.own_pids);
    options.clock->Wait(kBusyWatch);
    busiest = FindBusiestCpu(before, ReadBusySnapshot(options.root, options.own_pids));
    if (!busiest.has_value() || busiest->foreign_percent <= *rule->limit) break;
  }
  return busiest;
}

}  // namespace

Preflight::Preflight(PreflightOptions options)
    : options_(std::move(options)),
      throttle_files_(FindThrottleFiles(options_.root)),
      last_(ReadCounters()) {}

LookCounters Preflight::ReadCounters() {
  return ReadLookCounters(options_.root, *options_.clock, throttle_files_);
}

Look Preflight::LookSinceLast() {
  LookCounters earlier = std::exchange(last_, ReadCounters());
  return {.root = options_.root,
          .data_directory = options_.data_directory,
          .clock = options_.clock,
          .earlier = std::move(earlier),
          .now = last_};
}

std::vector<v1::Check> Preflight::Before(v1::Gates gates, bool with_busy_second) {
  if (!with_busy_second) return JudgeAll(LookSinceLast(), gates, v1::CHECK_PHASE_PREFLIGHT);
  last_ = ReadCounters();  // the second counts, not the time before it
  std::optional<BusyCpu> busiest = WatchCpus(options_);
  Look look = LookSinceLast();
  look.busiest = std::move(busiest);
  look.is_cpu_watched = true;
  return JudgeAll(look, gates, v1::CHECK_PHASE_PREFLIGHT);
}

std::vector<v1::Check> Preflight::After(v1::Gates gates) {
  return JudgeAll(LookSinceLast(), gates, v1::CHECK_PHASE_POSTFLIGHT);
}

std::vector<v1::Check> Preflight::WaitForQuiet(v1::Gates gates, absl::Duration patience) {
  const absl::Duration deadline = options_.clock->Monotonic() + patience;
  while (true) {
    std::vector<v1::Check> checks = Before(gates, true);
    if (gates == v1::GATES_OFF || !IsWorthWaiting(checks) ||
        options_.clock->Monotonic() >= deadline) {
      return checks;
    }
  }
}

}  // namespace tare::agent
