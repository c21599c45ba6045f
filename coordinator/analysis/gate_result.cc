#include "coordinator/analysis/gate_result.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/units.h"
#include "stats/moments.h"
#include "stats/rounds_needed.h"
#include "stats/smallest_visible.h"

namespace tare::coordinator {
namespace {

constexpr double kPassPower = 0.9;
constexpr double kVisiblePower = 0.8;

// The scores of "worse" against the threshold alone, and of a candidate that is the baseline: how
// far below the threshold no change is.
struct Excess {
  std::vector<double> actual;
  double gap = 0;        // above 0
  bool is_time = false;  // the scores are ns, not logarithms
};

std::vector<Excess> ExcessesOf(const MetricComparison& measured,
                               const stats::GateThreshold& threshold) {
  const bool is_swapped = IsLessWorse(measured.metric);
  const std::vector<double>& from = is_swapped ? measured.candidate : measured.baseline;
  const std::vector<double>& to = is_swapped ? measured.baseline : measured.candidate;
  const auto scores = stats::ScoreGate(from, to, threshold);
  const auto unchanged = stats::ScoreGate(from, from, threshold);
  std::vector<Excess> excesses;
  if (!scores.ok() || !unchanged.ok()) return excesses;
  for (size_t i = 0; i < scores->over_threshold.size(); ++i) {
    const double gap = -stats::Mean(unchanged->over_threshold[i]).value_or(0);
    // Of two tests the second is that of the difference.
    excesses.push_back({scores->over_threshold[i], gap, !threshold.relative.has_value() || i == 1});
  }
  return excesses;
}

// Either test passes the candidate, so the fewer units decide.
void SetUnitsNeeded(const std::vector<Excess>& excesses, v1::GateResult* result) {
  for (const Excess& excess : excesses) {
    const auto moments = stats::MomentsOf(excess.actual);
    if (!moments.ok()) continue;
    const auto units = stats::RoundsNeeded(excess.gap, moments->sd, kPassAlpha, kPassPower);
    if (!units.ok()) continue;
    const auto needed = static_cast<int32_t>(*units);
    if (!result->has_units_needed() || needed < result->units_needed()) {
      result->set_units_needed(needed);
    }
  }
}

// A change must exceed both thresholds, so the larger counts.
void SetVisible(const MetricComparison& measured, const std::vector<Excess>& excesses,
                const Rule& rule, v1::GateResult* result) {
  const double baseline = stats::Mean(measured.baseline).value_or(0);
  double visible = 0;
  bool is_time = !excesses.empty();
  for (const Excess& excess : excesses) {
    const auto moments = stats::MomentsOf(excess.actual);
    if (!moments.ok() || moments->count < stats::kGateUnitsMin) return;
    const double floor = rule.threshold->is_strict ? excess.gap : 0;
    const auto score = stats::SmallestVisibleInGate({floor, excess.gap, kFailAlpha}, moments->sd,
                                                    moments->count, kVisiblePower);
    if (!score.ok()) return;
    is_time &= excess.is_time;
    const double share = !excess.is_time ? std::expm1(*score)
                         : baseline > 0  ? *score / baseline
                                         : std::numeric_limits<double>::infinity();
    if (excesses.size() == 1 && excess.is_time) result->set_visible_ns(*score);
    visible = std::max(visible, share);
  }
  if (!excesses.empty() && !is_time && std::isfinite(visible)) result->set_visible(visible);
}

absl::StatusOr<stats::ScoreLimits> LimitsInScope(const SampledValues& scores,
                                                 const stats::GateLevels& levels) {
  return scores.scope == v1::SCOPE_THESE_HOSTS
             ? stats::LimitsWithin(scores.values, scores.hosts, levels)
             : stats::LimitsOf(scores.Units(), levels);
}

void SetLimits(const MetricComparison& measured, const Rule& rule, const Look& look,
               v1::GateResult* result) {
  if (look.kind == LookKind::kOpenEnded || !look.MayDecide()) return;
  const stats::GateLevels levels = {look.fail, look.pass};
  SampledValues ratios = measured.SampledRatios();
  if (IsLessWorse(measured.metric)) {
    for (double& ratio : ratios.values) ratio = -ratio;
  }
  const auto shares = LimitsInScope(ratios, levels);
  if (shares.ok()) {
    result->set_low(std::expm1(shares->low));
    result->set_high(std::expm1(shares->high));
  }
  const auto times = LimitsInScope(measured.SampledDifferences(), levels);
  if (rule.threshold->absolute.has_value() && times.ok()) {
    result->set_low_ns(times->low);
    result->set_high_ns(times->high);
  }
  if (!result->has_low() && !result->has_low_ns()) return;
  result->set_low_confidence(1 - look.fail);
  result->set_high_confidence(1 - look.pass);
}

std::string DescribeRule(const Rule& rule, const v1::Threshold& threshold) {
  const std::string size = FormatThreshold(threshold);
  const bool has_both =
      rule.threshold->relative.has_value() && rule.threshold->absolute.has_value();
  const std::string floor =
      rule.threshold->is_strict ? absl::StrCat("by more than ", size) : "at all";
  return absl::StrCat("a regression is worse by ", has_both ? "both " : "", size,
                      " or more, and worse ", floor,
                      " with 99 % confidence; a pass is worse by less than ",
                      has_both ? "one of them" : size, " with 95 % confidence");
}

}  // namespace

v1::GateResult MakeGateResult(const MetricComparison& measured, const Rule& rule, const Look& look,
                              const v1::Threshold& threshold) {
  v1::GateResult result;
  const std::vector<Excess> excesses = ExcessesOf(measured, *rule.threshold);
  // How many more units would do, and what they would see, is known where all units are alike.
  if (measured.scope == v1::SCOPE_UNSPECIFIED) {
    SetUnitsNeeded(excesses, &result);
    SetVisible(measured, excesses, rule, &result);
  }
  SetLimits(measured, rule, look, &result);
  result.set_rule(DescribeRule(rule, threshold));
  return result;
}

std::string FormatThreshold(const v1::Threshold& threshold) {
  constexpr double kPpmOfPercent = 1e4;
  std::string text;
  if (threshold.has_relative_ppm()) {
    text =
        absl::StrFormat("%.4g %%", static_cast<double>(threshold.relative_ppm()) / kPpmOfPercent);
  }
  if (threshold.has_absolute_ns()) {
    absl::StrAppend(&text, text.empty() ? "" : " and ",
                    FormatDuration(static_cast<double>(threshold.absolute_ns())));
  }
  return text;
}

}  // namespace tare::coordinator
