#include "coordinator/analysis/control.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/text.h"
#include "stats/holm.h"
#include "stats/smallest_visible.h"

namespace tare::coordinator {
namespace {

constexpr double kPower = 0.80;
constexpr double kPowerHigh = 0.95;

v1::ControlResult TestControl(const MetricComparison& control, const RunData& data,
                              const stats::HolmTest& test) {
  v1::ControlResult result;
  const SampledValues differences = control.SampledDifferences();
  if (control.refusal.has_value()) {
    result.set_status(v1::CHECK_STATUS_NOT_RUN);
    result.set_text(control.refusal->measured());
    return result;
  }
  if (IsTime(control.metric)) {
    *result.mutable_estimate() = MakeEstimate(differences, kConfidence);
    *result.mutable_test() = MakeEstimate(differences, 1 - test.level);
  }
  *result.mutable_ratio() = MakeRatio(control.SampledRatios(), kConfidence);
  if (differences.UnitsCount() < kUnitsForIntervalMin) {
    result.set_status(v1::CHECK_STATUS_NOT_RUN);
    result.set_text(absl::StrCat("needs at least ", kUnitsForIntervalMin, " units, has ",
                                 differences.UnitsCount()));
    return result;
  }
  if (!data.is_final) {
    result.set_status(v1::CHECK_STATUS_NOT_RUN);
    result.set_text("tested once, when the run ends");
    return result;
  }
  const bool differs = test.p_adjusted <= kControlAlpha;
  result.set_status(differs ? v1::CHECK_STATUS_REFUSED : v1::CHECK_STATUS_PASSED);
  const std::string interval = data.plan.pairing() == v1::PAIRING_ROUNDS
                                   ? FormatRatio(MakeRatio(control.SampledRatios(), 1 - test.level))
                                   : FormatEstimate(result.test());
  result.set_text(absl::StrFormat("control - baseline is %s with %.4g %% confidence", interval,
                                  100 * (1 - test.level)));
  return result;
}

v1::SmallestVisible NotRun(absl::string_view why) {
  v1::SmallestVisible result;
  result.set_status(v1::CHECK_STATUS_NOT_RUN);
  result.set_text(std::string(why));
  return result;
}

}  // namespace

std::vector<v1::ControlResult> TestControls(std::span<const MetricComparison> controls,
                                            const RunData& data) {
  std::vector<v1::ControlResult> results;
  if (controls.empty()) return results;
  std::vector<double> p_values;
  for (const MetricComparison& control : controls) {
    p_values.push_back(PValue(control.SampledScores(data.plan.pairing())));
  }
  const auto tests = stats::Holm(p_values, kControlAlpha);
  for (size_t i = 0; i < controls.size(); ++i) {
    results.push_back(TestControl(controls[i], data, tests.ok() ? (*tests)[i] : stats::HolmTest{}));
  }
  return results;
}

v1::SmallestVisible FindSmallestVisible(const MetricComparison* control, v1::Pairing pairing,
                                        double baseline) {
  if (control == nullptr) return NotRun("needs the control arm, which is off");
  const SampledValues scores = control->SampledScores(pairing);
  const auto error = scores.Error();
  const auto effect = error.ok() ? stats::SmallestVisibleEffect(*error, kPower) : error.status();
  const auto effect_high =
      error.ok() ? stats::SmallestVisibleEffect(*error, kPowerHigh) : error.status();
  if (!effect.ok() || !effect_high.ok()) {
    return NotRun(scores.UnitsCount() < stats::kSmallestVisibleUnitsMin
                      ? absl::StrCat("needs at least ", stats::kSmallestVisibleUnitsMin,
                                     " units, has ", scores.UnitsCount())
                      : "the control differences do not vary");
  }
  // In rounds the scores are log ratios: the effect is a share of the baseline.
  const bool is_relative = pairing == v1::PAIRING_ROUNDS;
  const double value = is_relative ? std::expm1(*effect) * baseline : *effect;
  v1::SmallestVisible result;
  result.set_status(v1::CHECK_STATUS_PASSED);
  if (IsTime(control->metric)) {
    result.set_value_ns(value);
    result.set_value_ns_95(is_relative ? std::expm1(*effect_high) * baseline : *effect_high);
  }
  if (baseline > 0) result.set_relative(value / baseline);
  result.set_power(kPower);
  return result;
}

}  // namespace tare::coordinator
