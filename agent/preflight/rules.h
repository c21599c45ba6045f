// The table of checks: what each measures, its limit, and what to do when it is not met.
//
// Rules find facts; whether a fact refuses is decided in Judge from the gates. docs/checks.md says
// the same to people. Pure but for reading files below Look::root; thread-safe.

#ifndef TARE_AGENT_PREFLIGHT_RULES_H_
#define TARE_AGENT_PREFLIGHT_RULES_H_

#include <optional>
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "agent/preflight/look.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

// What a rule saw.
struct Finding {
  bool is_run = true;
  bool is_fit = true;
  std::optional<double> value;
  // Who or what makes it unfit; why, when not run.
  std::string culprit;

  static Finding NotRun(absl::string_view why) { return {false, false, {}, std::string(why)}; }
  static Finding AtMost(double limit, double value, absl::string_view culprit) {
    return {true, value <= limit, value, std::string(culprit)};
  }
  static Finding AtLeast(double limit, double value, absl::string_view culprit) {
    return {true, value >= limit, value, std::string(culprit)};
  }
};

struct Rule {
  absl::string_view name;
  Finding (*look)(const Look& look, double limit);
  std::optional<double> limit;
  absl::string_view unit;
  // The refusal it leads to under strict; empty: it warns at most.
  absl::string_view refusal;
  absl::string_view advice;
  // Time alone may mend it, so waiting for a quiet machine waits for it.
  bool is_passing = false;
  // Why it says nothing after a trial; empty: it is looked at then, too.
  absl::string_view not_after = {};
};

// In the order in which they are shown.
std::span<const Rule> Rules();

v1::Check Judge(const Rule& rule, const Look& look, v1::Gates gates, v1::CheckPhase phase);

// The rules' ways to look: activity.cc (CPUs), space.cc (memory and disk), settings.cc (clock and
// clock rate).
Finding LookAtBusyCpu(const Look& look, double limit);
Finding LookAtPressureCpu(const Look& look, double limit);
Finding LookAtPressureIo(const Look& look, double limit);
Finding LookAtPressureMemory(const Look& look, double limit);
Finding LookAtSteal(const Look& look, double limit);
Finding LookAtThrottling(const Look& look, double limit);
Finding LookAtSwap(const Look& look, double limit);
Finding LookAtThermal(const Look& look, double limit);
Finding LookAtLoad(const Look& look, double limit);
Finding LookAtClockSource(const Look& look, double limit);
Finding LookAtClockTick(const Look& look, double limit);
Finding LookAtGovernor(const Look& look, double limit);
Finding LookAtTurbo(const Look& look, double limit);
Finding LookAtDisk(const Look& look, double limit);
Finding LookAtMemory(const Look& look, double limit);

}  // namespace tare::agent

#endif  // TARE_AGENT_PREFLIGHT_RULES_H_
