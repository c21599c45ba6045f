#include "coordinator/analysis/judge.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "base/units.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/known_delay.h"
#include "coordinator/analysis/numbers.h"
#include "coordinator/analysis/text.h"
#include "stats/moments.h"
#include "stats/order_strata.h"

namespace tare::coordinator {
namespace {

// A tick above this share of the spread biases even the grouped median.
constexpr double kTickShareMax = 0.7;

// Row 2.
std::optional<v1::Refusal> RefuseControl(const v1::ReportComparison& report) {
  if (report.control().status() != v1::CHECK_STATUS_REFUSED) return std::nullopt;
  return MakeRefusal("control-differs", report.control().text(), "an interval that includes 0",
                     "find what makes two equal arms differ before comparing others");
}

// Row 3. Without a threshold a delay that was applied but not seen is stated only.
std::optional<v1::Refusal> RefuseDelay(const v1::ReportComparison& report) {
  const v1::KnownDelayResult& delay = report.known_delay();
  if (delay.status() != v1::CHECK_STATUS_REFUSED) return std::nullopt;
  if (std::abs(delay.worst_miss_ns()) <= AllowedMissNs(delay.asked_ns())) {
    return MakeRefusal("known-delay-not-seen",
                       absl::StrCat("a delay of ", FormatDuration(delay.applied_ns()),
                                    " came out as ", FormatEstimate(delay.estimate())),
                       "an interval above 0",
                       "use more processes or sets, or a larger threshold: this run cannot see it");
  }
  return MakeRefusal(
      "delay-not-applied",
      absl::StrCat("asked ", FormatDuration(delay.asked_ns()), ", applied ",
                   FormatDuration(delay.applied_ns()), ", worst process off by ",
                   FormatDuration(delay.worst_miss_ns())),
      absl::StrCat("off by at most ", FormatDuration(AllowedMissNs(delay.asked_ns()))),
      "make the workload wait as long as it is told, or switch the known delay off");
}

bool IsOrderConfounded(const JudgeInput& input) {
  const std::vector<Unit>& units = input.measured.comparison->units;
  if (units.empty()) return false;
  if (input.data.plan.pairing() != v1::PAIRING_ROUNDS) {
    return !std::all_of(units.begin(), units.end(),
                        [](const Unit& unit) { return unit.is_order_free; });
  }
  // Imported rounds that do not tell their order are warned of.
  if (input.data.plan.order() == v1::ORDER_UNSPECIFIED) return false;
  const auto is_baseline_first = [](const Unit& unit) {
    return unit.baseline_trial->planned->trial() < unit.candidate_trial->planned->trial();
  };
  const auto count = std::count_if(units.begin(), units.end(), is_baseline_first);
  return count == 0 || count == static_cast<std::ptrdiff_t>(units.size());
}

// Row 4.
std::optional<v1::Refusal> RefuseOrder(const JudgeInput& input, v1::ReportComparison* report) {
  if (!IsOrderConfounded(input)) return std::nullopt;
  report->mutable_order_effect()->set_is_confounded(true);
  const auto& studied = input.data.experiment.study();
  if (std::find(studied.begin(), studied.end(), input.data.plan.order()) != studied.end()) {
    return std::nullopt;
  }
  const v1::Estimate& effect = report->order_effect().effect();
  const bool is_round = input.data.plan.pairing() == v1::PAIRING_ROUNDS;
  return MakeRefusal(
      "order-confounded",
      absl::StrCat("bias ", FormatEstimate(effect.has_value_ns() ? effect : report->estimate())),
      is_round ? "each arm first in at least one round"
               : absl::StrCat("at least ", stats::kStratumMin,
                              " samples of every kind in every process"),
      "use 'order: random' and more sets, or name this order under 'study'");
}

// Row 5. Of a metric that is no latency only the values of the units can be looked at.
std::optional<v1::Refusal> RefuseResolution(const JudgeInput& input) {
  if (input.measured.refusal.has_value()) return std::nullopt;
  const bool is_latency = input.measured.metric == v1::METRIC_LATENCY;
  std::optional<double> spread;
  if (is_latency) {
    spread = SetDifferenceSpreadNs(*input.measured.comparison, input.data.plan.pairing());
  }
  const double spread_ns = spread.value_or(0);
  const absl::StatusOr<stats::Moments> moments = stats::MomentsOf(input.measured.differences);
  const bool is_flat = (moments.ok() && moments->sd == 0) || (spread.has_value() && spread_ns == 0);
  const bool is_coarse = spread.has_value() && input.tick_ns > kTickShareMax * spread_ns;
  if (!is_flat && !is_coarse) return std::nullopt;
  if (!is_latency) {
    return MakeRefusal("clock-too-coarse", "the difference is the same in all rounds",
                       "values that vary", "measure longer in every round ('sets')");
  }
  const std::string tick = input.tick_ns > 0 ? FormatDuration(input.tick_ns) : "unknown";
  return MakeRefusal("clock-too-coarse",
                     absl::StrCat("tick ", tick, ", spread of the differences ",
                                  FormatDuration(is_coarse || !is_flat ? spread_ns : 0)),
                     absl::StrCat("a tick of at most ", kTickShareMax, " of a spread above 0"),
                     "time more operations in one sample ('iterations')");
}

// Row 6. Unresolved warns among the checks.
std::optional<v1::Refusal> RefuseUnsteady(const JudgeInput& input) {
  const v1::Steadiness* steadiness = input.steadiness;
  if (steadiness == nullptr || steadiness->status() != v1::CHECK_STATUS_REFUSED) {
    return std::nullopt;
  }
  return MakeRefusal(
      "not-steady", steadiness->text(),
      absl::StrFormat("a difference that moves by at most %.3g %%", 100 * steadiness->tolerance()),
      "leave out more samples as warm-up, or measure longer");
}

// How many units the interval has; a metric without values has those of its comparison.
size_t UnitsOf(const MetricComparison& measured) {
  return measured.refusal.has_value() ? measured.comparison->units.size()
                                      : measured.SampledDifferences().UnitsCount();
}

// Row 7, for units of several hosts.
v1::Refusal RefuseFewOfHosts(const CellComparison& comparison, absl::string_view unit) {
  const size_t hosts = comparison.levels.front().groups_count;
  const std::string limit =
      absl::StrCat("at least ", kUnitsForIntervalMin, ", ", kUnitsForVerdictMin, " for a verdict");
  if (comparison.scope == v1::SCOPE_HOSTS) {
    return MakeRefusal("too-few-processes", Count(static_cast<int64_t>(hosts), "host"), limit,
                       "measure on more hosts, or ask about these: 'scope: these-hosts'");
  }
  return MakeRefusal("too-few-processes",
                     absl::StrCat(Count(static_cast<int64_t>(comparison.units.size()), unit),
                                  " on ", Count(static_cast<int64_t>(hosts), "host")),
                     absl::StrCat("at least ", kUnitsForIntervalMin - 1, " more than hosts, ",
                                  kUnitsForVerdictMin - 1, " for a verdict"),
                     "measure more processes on each host");
}

// Row 7.
std::optional<v1::Refusal> RefuseFewUnits(const JudgeInput& input) {
  const size_t units = UnitsOf(input.measured);
  if (units >= kUnitsForIntervalMin) return std::nullopt;
  const CellComparison& comparison = *input.measured.comparison;
  const bool is_round = input.data.plan.pairing() == v1::PAIRING_ROUNDS;
  if (comparison.scope != v1::SCOPE_UNSPECIFIED) {
    return RefuseFewOfHosts(comparison, is_round ? "round" : "process");
  }
  return MakeRefusal(
      "too-few-processes", Count(static_cast<int64_t>(units), is_round ? "round" : "process"),
      absl::StrCat("at least ", kUnitsForIntervalMin, ", ", kUnitsForVerdictMin, " for a verdict"),
      is_round ? "set 'rounds: 10'" : "set 'processes: 10'");
}

// The measured comparison with the estimates that are free of carry-over, of the processes that
// have one.
MetricComparison WithoutCarryOver(const MetricComparison& measured) {
  MetricComparison free;
  free.comparison = measured.comparison;
  free.metric = measured.metric;
  free.scope = measured.scope;
  for (const Unit& unit : measured.comparison->units) {
    if (!unit.free_difference_ns.has_value()) continue;
    free.baseline.push_back(unit.baseline_ns);
    free.candidate.push_back(unit.baseline_ns + *unit.free_difference_ns);
    free.differences.push_back(*unit.free_difference_ns);
    free.AddHost(unit, false);
  }
  return free;
}

// Row 9. With too few units for a verdict there is nothing that it could change.
std::optional<v1::Refusal> RefuseCarryOver(const JudgeInput& input,
                                           const v1::ReportComparison& report) {
  if (!input.carry_over.is_named || UnitsOf(input.measured) < kUnitsForVerdictMin) {
    return std::nullopt;
  }
  const v1::Verdict free = Decide(WithoutCarryOver(input.measured), input.decision.rule);
  if (free == input.decision.verdict) return std::nullopt;
  return MakeRefusal(
      "carry-over",
      absl::StrCat("paired ", FormatEstimate(report.estimate()), ", free of carry-over ",
                   FormatEstimate(report.carry_over().free_estimate())),
      "the same verdict from both", "set 'washout: 1' or 'order: balanced'");
}

v1::Verdict WordFor(v1::Purpose purpose, v1::Verdict verdict) {
  if (purpose == v1::PURPOSE_GATE) return verdict;
  if (verdict == v1::VERDICT_REGRESSION) return v1::VERDICT_SLOWER;
  return verdict == v1::VERDICT_IMPROVEMENT ? v1::VERDICT_FASTER : verdict;
}

// Row 16. A regression that does not come again was none that can be stood behind.
void Confirm(v1::ReportComparison* report) {
  const bool has_regressed =
      report->verdict() == v1::VERDICT_REGRESSION || report->verdict() == v1::VERDICT_SLOWER;
  report->add_flags(has_regressed ? "confirmed" : "unconfirmed");
  if (!has_regressed) report->set_verdict(v1::VERDICT_INCONCLUSIVE);
}

}  // namespace

void Judge(const JudgeInput& input, v1::ReportComparison* report) {
  const size_t units = UnitsOf(input.measured);
  const bool is_provisional = input.look.kind == LookKind::kFixed &&
                              units >= kUnitsForIntervalMin && units < kUnitsForVerdictMin;
  const std::optional<v1::Refusal> refusals[] = {
      input.measured.refusal,     RefuseControl(*report),         RefuseDelay(*report),
      RefuseOrder(input, report), RefuseResolution(input),        RefuseUnsteady(input),
      RefuseFewUnits(input),      RefuseCarryOver(input, *report)};
  for (const std::optional<v1::Refusal>& refusal : refusals) {
    if (!refusal.has_value()) continue;
    v1::Refusal* added = report->add_refusals();
    *added = *refusal;
    added->set_where(absl::StrCat(report->baseline(), " / ", report->candidate(),
                                  report->has_cell() ? ", " : "", report->cell()));
  }
  if (units >= kUnitsForIntervalMin && input.decision.p_adjusted.has_value()) {
    report->set_p_adjusted(*input.decision.p_adjusted);
  }
  if (input.decision.gate.has_value()) *report->mutable_gate() = *input.decision.gate;
  if (is_provisional) report->add_flags("provisional");
  if (input.carry_over.is_named) report->add_flags("carry-over");
  if (input.is_run_refused || report->refusals_size() > 0) {
    report->set_verdict(v1::VERDICT_REFUSED);
  } else if (is_provisional) {
    report->set_verdict(v1::VERDICT_INCONCLUSIVE);
  } else {
    report->set_verdict(WordFor(input.data.experiment.purpose(), input.decision.verdict));
    if (!input.data.plan.confirms().empty()) Confirm(report);
  }
}

}  // namespace tare::coordinator
