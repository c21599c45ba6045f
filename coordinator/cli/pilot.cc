#include "coordinator/cli/pilot.h"

#include <algorithm>
#include <map>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

// Wall time of the timed blocks. In lockstep every process has its own record of the same block.
double TimedNs(const TrialData& trial) {
  std::map<int32_t, int64_t> durations;
  for (const v1::SampleBlock& block : trial.blocks) {
    if (block.is_warmup()) continue;
    int64_t duration_ns = block.evidence().duration_ns();
    // Without evidence at least what the samples took.
    if (duration_ns == 0) {
      for (const int64_t value_ns : block.value_ns()) duration_ns += value_ns;
    }
    int64_t& longest = durations[block.block()];
    longest = std::max(longest, duration_ns);
  }
  double sum = 0;
  for (const auto& [block, duration_ns] : durations) sum += static_cast<double>(duration_ns);
  return sum;
}

PilotCost CostOf(const RunData& data, int32_t rounds) {
  double timed_ns = 0;
  double other_ns = 0;
  for (const TrialData& trial : data.trials) {
    if (!trial.is_counted) continue;
    const double trial_ns =
        static_cast<double>(trial.record.ended_unix_ns() - trial.record.started_unix_ns());
    const double trial_timed_ns = std::min(trial_ns, TimedNs(trial));
    timed_ns += trial_timed_ns;
    other_ns += trial_ns - trial_timed_ns;
  }
  return {other_ns / rounds, timed_ns / rounds / std::max(1, data.plan.sets())};
}

PilotSpread SpreadOf(const v1::ReportComparison& comparison) {
  PilotSpread spread;
  spread.comparison = absl::StrCat("'", comparison.baseline(), "' / '", comparison.candidate(), "'",
                                   comparison.has_cell() ? ", " : "", comparison.cell());
  spread.baseline_ns = comparison.baseline_median_ns();
  spread.units = static_cast<size_t>(comparison.processes());
  for (const v1::VarianceComponent& component : comparison.variance_components()) {
    const double variance = component.sd_ns() * component.sd_ns();
    if (component.level() == "set" || component.level() == "sample") {
      spread.set_variance_ns2 = variance;
    } else if (component.level() == "process" || component.level() == "round") {
      spread.unit_variance_ns2 = variance;
      spread.is_unit_clamped = component.is_clamped();
    }
  }
  return spread;
}

ErrorBuilder NoPilot(const RunData& data, absl::string_view why) {
  return MakeError(absl::StatusCode::kFailedPrecondition,
                   absl::StrCat("run ", data.run, " is no pilot: ", why));
}

}  // namespace

absl::Status NoPilotRun(const std::string& experiment) {
  return MakeError(absl::StatusCode::kNotFound,
                   absl::StrCat("experiment '", experiment, "' has no complete run to plan from"))
      .Detail("how many processes a size takes follows from their spread, which a run measures")
      .Try("run it first, with at least 8 processes or rounds, or name a run with --pilot");
}

absl::StatusOr<std::string> FindPilot(Store& store, const std::string& experiment) {
  ASSIGN_OR_RETURN(const std::vector<RunSummary> runs, store.ListRuns());
  for (const RunSummary& summary : runs) {
    if (summary.name == experiment && summary.state == RunState::kComplete) return summary.run;
  }
  return NoPilotRun(experiment);
}

absl::StatusOr<Pilot> ReadPilot(const RunData& data, const v1::Report& report) {
  Pilot pilot;
  if (report.rounds_counted() == 0) return NoPilot(data, "none of its rounds is complete");
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    if (comparison.unit_of_inference() == "host") {
      return NoPilot(data, "it asks about hosts, of which it has few")
          .Detail("the hosts decide the width of its interval, not processes or sets")
          .Try("measure on more hosts, or set 'scope: these-hosts'");
    }
    // Of other metrics the sets are not one value each.
    if (!comparison.has_baseline_median_ns() || comparison.variance_components().empty()) continue;
    pilot.spreads.push_back(SpreadOf(comparison));
    if (pilot.refusal.empty() && comparison.refusals_size() > 0) {
      pilot.refusal = comparison.refusals(0).code();
    }
  }
  if (report.refusals_size() > 0) pilot.refusal = report.refusals(0).code();
  if (pilot.spreads.empty()) {
    return NoPilot(data, "it has no comparison of latencies with two processes or more");
  }
  pilot.cost = CostOf(data, report.rounds_counted());
  if (!(pilot.cost.unit_ns > 0 && pilot.cost.set_ns > 0)) {
    return NoPilot(data, "it does not tell how long its processes and sets took");
  }
  return pilot;
}

}  // namespace tare::coordinator
