#include "coordinator/analysis/judge.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/units.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/known_delay.h"
#include "coordinator/analysis/numbers.h"
#include "coordinator/analysis/text.h"
#include "stats/moments.h"
#include "stats/order_strata.h"

namespace tare::coordinator {
namespace {

// A tick above this share of the spread biases even the grouped median.
constexpr double kTickShareMax = 0.7;

v1::Refusal MakeRefusal(absl::string_view code, absl::string_view measured, absl::string_view limit,
                        absl::string_view advice) {
  v1::Refusal refusal;
  refusal.set_code(std::string(code));
  refusal.set_measured(std::string(measured));
  refusal.set_limit(std::string(limit));
  refusal.set_advice(std::string(advice));
  return refusal;
}

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
  return MakeRefusal(
      "delay-not-applied",
      absl::StrCat("asked ", FormatDuration(delay.asked_ns()), ", applied ",
                   FormatDuration(delay.applied_ns()), ", worst process off by ",
                   FormatDuration(delay.worst_miss_ns())),
      absl::StrCat("off by at most ", FormatDuration(AllowedMissNs(delay.asked_ns()))),
      "make the workload wait as long as it is told, or switch the known delay off");
}

bool IsOrderConfounded(const JudgeInput& input) {
  const std::vector<Unit>& units = input.comparison.units;
  if (units.empty()) return false;
  if (input.data.plan.pairing() != v1::PAIRING_ROUNDS) {
    return !std::all_of(units.begin(), units.end(),
                        [](const Unit& unit) { return unit.is_order_free; });
  }
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

// Row 5.
std::optional<v1::Refusal> RefuseResolution(const JudgeInput& input) {
  const std::vector<double> differences = input.comparison.Differences();
  const std::optional<double> spread =
      SetDifferenceSpreadNs(input.comparison, input.data.plan.pairing());
  const absl::StatusOr<stats::Moments> moments = stats::MomentsOf(differences);
  const bool is_flat = (moments.ok() && moments->sd == 0) || (spread.has_value() && *spread == 0);
  const bool is_coarse = spread.has_value() && input.tick_ns > kTickShareMax * *spread;
  if (!is_flat && !is_coarse) return std::nullopt;
  const std::string tick = input.tick_ns > 0 ? FormatDuration(input.tick_ns) : "unknown";
  return MakeRefusal("clock-too-coarse",
                     absl::StrCat("tick ", tick, ", spread of the differences ",
                                  FormatDuration(is_coarse || !is_flat ? *spread : 0)),
                     absl::StrCat("a tick of at most ", kTickShareMax, " of a spread above 0"),
                     "time more operations in one sample ('iterations')");
}

// Row 7.
std::optional<v1::Refusal> RefuseFewUnits(const JudgeInput& input) {
  const size_t units = input.comparison.units.size();
  if (units >= kUnitsForIntervalMin) return std::nullopt;
  const bool is_round = input.data.plan.pairing() == v1::PAIRING_ROUNDS;
  return MakeRefusal(
      "too-few-processes", Count(static_cast<int64_t>(units), is_round ? "round" : "process"),
      absl::StrCat("at least ", kUnitsForIntervalMin, ", ", kUnitsForVerdictMin, " for a verdict"),
      is_round ? "set 'rounds: 10'" : "set 'processes: 10'");
}

int Sign(double value) { return value > 0 ? 1 : -1; }

// Row 10: +1 slower, -1 faster, 0 not shown.
int Decide(const JudgeInput& input) {
  if (input.test.p_adjusted > kDifferenceAlpha) return 0;
  const std::vector<double> scores = input.comparison.Scores(input.data.plan.pairing());
  return Sign(stats::Mean(scores).value_or(0));
}

int DecideWithoutCarryOver(const JudgeInput& input) {
  const v1::Estimate estimate =
      MakeEstimate(input.carry_over.free_differences_ns, 1 - input.test.level);
  return ExcludesZero(estimate) ? Sign(estimate.value_ns()) : 0;
}

// Row 9. With too few units for a verdict there is nothing that it could change.
std::optional<v1::Refusal> RefuseCarryOver(const JudgeInput& input,
                                           const v1::ReportComparison& report) {
  if (!input.carry_over.is_named || input.comparison.units.size() < kUnitsForVerdictMin) {
    return std::nullopt;
  }
  if (DecideWithoutCarryOver(input) == Decide(input)) return std::nullopt;
  return MakeRefusal(
      "carry-over",
      absl::StrCat("paired ", FormatEstimate(report.estimate()), ", free of carry-over ",
                   FormatEstimate(report.carry_over().free_estimate())),
      "the same verdict from both", "set 'washout: 1' or 'order: balanced'");
}

v1::Verdict VerdictOf(int direction, v1::Purpose purpose) {
  if (direction == 0) return v1::VERDICT_INCONCLUSIVE;
  if (purpose == v1::PURPOSE_GATE) {
    return direction > 0 ? v1::VERDICT_REGRESSION : v1::VERDICT_IMPROVEMENT;
  }
  return direction > 0 ? v1::VERDICT_SLOWER : v1::VERDICT_FASTER;
}

}  // namespace

void Judge(const JudgeInput& input, v1::ReportComparison* report) {
  const size_t units = input.comparison.units.size();
  const std::optional<v1::Refusal> refusals[] = {
      RefuseControl(*report),  RefuseDelay(*report),  RefuseOrder(input, report),
      RefuseResolution(input), RefuseFewUnits(input), RefuseCarryOver(input, *report)};
  for (const std::optional<v1::Refusal>& refusal : refusals) {
    if (!refusal.has_value()) continue;
    v1::Refusal* added = report->add_refusals();
    *added = *refusal;
    added->set_where(absl::StrCat(report->baseline(), " / ", report->candidate(),
                                  report->has_cell() ? ", " : "", report->cell()));
  }
  if (units >= kUnitsForIntervalMin) report->set_p_adjusted(input.test.p_adjusted);
  if (units >= kUnitsForIntervalMin && units < kUnitsForVerdictMin) {
    report->add_flags("provisional");
  }
  if (input.carry_over.is_named) report->add_flags("carry-over");
  if (input.is_run_refused || report->refusals_size() > 0) {
    report->set_verdict(v1::VERDICT_REFUSED);
  } else if (units < kUnitsForVerdictMin) {
    report->set_verdict(v1::VERDICT_INCONCLUSIVE);
  } else {
    report->set_verdict(VerdictOf(Decide(input), input.data.experiment.purpose()));
  }
}

}  // namespace tare::coordinator
