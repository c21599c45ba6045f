#include "coordinator/analysis/decide.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "base/status.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/gate_result.h"
#include "stats/e_process.h"
#include "stats/holm.h"
#include "stats/moments.h"

namespace tare::coordinator {
namespace {

// The threshold as it is read when asked to be strict or not.
std::optional<stats::GateThreshold> ThresholdOf(const v1::Experiment& experiment, bool is_strict) {
  if (!experiment.has_threshold()) return std::nullopt;
  constexpr double kPpm = 1e-6;
  const v1::Threshold& asked = experiment.threshold();
  stats::GateThreshold threshold;
  if (asked.has_relative_ppm()) {
    threshold.relative = static_cast<double>(asked.relative_ppm()) * kPpm;
  }
  if (asked.has_absolute_ns()) threshold.absolute = static_cast<double>(asked.absolute_ns());
  threshold.is_strict = is_strict;
  return threshold;
}

// Scores of units as the scope of the answer wants them.
stats::GateScores InScope(const stats::GateScores& scores, const MetricComparison& measured) {
  if (measured.scope == v1::SCOPE_UNSPECIFIED) return scores;
  stats::GateScores scoped;
  scoped.over_floor = measured.Sampled(scores.over_floor).Units();
  for (const std::vector<double>& excess : scores.over_threshold) {
    scoped.over_threshold.push_back(measured.Sampled(excess).Units());
  }
  if (measured.scope == v1::SCOPE_THESE_HOSTS) scoped.groups = measured.hosts;
  return scoped;
}

// Of looks and open-ended runs the error rates are known for rounds that are alike, not for rounds
// of several hosts.
bool MayDecide(const MetricComparison& measured, const Look& look) {
  return look.MayDecide() &&
         (look.kind == LookKind::kFixed || measured.scope == v1::SCOPE_UNSPECIFIED);
}

absl::StatusOr<stats::GateResult> DecideDirection(const MetricComparison& measured,
                                                  const Rule& rule, bool is_worse) {
  const bool is_swapped = is_worse == IsLessWorse(measured.metric);
  ASSIGN_OR_RETURN(
      const stats::GateScores scores,
      stats::ScoreGate(is_swapped ? measured.candidate : measured.baseline,
                       is_swapped ? measured.baseline : measured.candidate, *rule.threshold));
  const stats::GateLevels& levels = is_worse ? rule.worse : rule.better;
  return rule.kind == LookKind::kOpenEnded ? stats::DecideOpenEnded(scores, levels)
                                           : stats::DecideGate(InScope(scores, measured), levels);
}

// Row 10.
v1::Verdict DecideDifference(const MetricComparison& measured, const Rule& rule) {
  const SampledValues scores = measured.SampledScores(rule.pairing);
  if (PValue(scores) > rule.difference) return v1::VERDICT_INCONCLUSIVE;
  return stats::Mean(scores.Units()).value_or(0) > 0 ? v1::VERDICT_REGRESSION
                                                     : v1::VERDICT_IMPROVEMENT;
}

v1::Verdict VerdictOf(stats::GateVerdict verdict) {
  switch (verdict) {
    case stats::GateVerdict::kRegression:
      return v1::VERDICT_REGRESSION;
    case stats::GateVerdict::kImprovement:
      return v1::VERDICT_IMPROVEMENT;
    case stats::GateVerdict::kEquivalent:
      return v1::VERDICT_EQUIVALENT;
    case stats::GateVerdict::kPass:
      return v1::VERDICT_PASS;
    case stats::GateVerdict::kInconclusive:
      break;
  }
  return v1::VERDICT_INCONCLUSIVE;
}

// At Holm's levels among the family, each direction by itself.
void AdjustLevels(std::span<const MetricComparison> family, std::vector<Rule>* rules) {
  for (const bool is_worse : {true, false}) {
    std::vector<double> p_values;
    for (size_t i = 0; i < family.size(); ++i) {
      const auto result = DecideDirection(family[i], (*rules)[i], is_worse);
      p_values.push_back(result.ok() ? result->fail_p : 1);
    }
    const auto tests = stats::Holm(p_values, kFailAlpha);
    if (!tests.ok()) continue;
    for (size_t i = 0; i < family.size(); ++i) {
      Rule& rule = (*rules)[i];
      (is_worse ? rule.worse : rule.better).fail = (*tests)[i].level;
    }
  }
}

std::vector<Rule> MakeRules(std::span<const MetricComparison> family, const RunData& data,
                            const Look& look, bool is_strict) {
  Rule rule;
  rule.pairing = data.plan.pairing();
  rule.kind = look.kind;
  rule.threshold = ThresholdOf(data.experiment, is_strict);
  rule.worse = {look.fail, look.pass};
  rule.better = rule.worse;
  rule.difference = 2 * look.difference;
  std::vector<Rule> rules(family.size(), rule);
  if (look.kind == LookKind::kFixed && rule.threshold.has_value()) AdjustLevels(family, &rules);
  return rules;
}

void DecideByDifference(std::span<const MetricComparison> family, const Look& look,
                        std::vector<Decision>* decisions) {
  if (look.kind == LookKind::kFixed) {
    std::vector<double> p_values;
    for (size_t i = 0; i < family.size(); ++i) {
      p_values.push_back(PValue(family[i].SampledScores((*decisions)[i].rule.pairing)));
    }
    const auto tests = stats::Holm(p_values, 2 * kDifferenceAlphaOneSided);
    for (size_t i = 0; tests.ok() && i < family.size(); ++i) {
      (*decisions)[i].p_adjusted = (*tests)[i].p_adjusted;
      (*decisions)[i].rule.difference = (*tests)[i].level;
    }
  }
  for (size_t i = 0; i < family.size(); ++i) {
    Decision& decision = (*decisions)[i];
    if (MayDecide(family[i], look)) decision.verdict = Decide(family[i], decision.rule);
  }
}

}  // namespace

v1::Verdict Decide(const MetricComparison& measured, const Rule& rule) {
  if (!rule.threshold.has_value()) return DecideDifference(measured, rule);
  const auto worse = DecideDirection(measured, rule, true);
  const auto better = DecideDirection(measured, rule, false);
  if (!worse.ok() || !better.ok()) return v1::VERDICT_INCONCLUSIVE;
  return VerdictOf(stats::VerdictOf(worse->decision, better->decision));
}

std::vector<Decision> DecideAll(std::span<const MetricComparison> family, const RunData& data,
                                const Look& look) {
  const bool is_strict = data.experiment.threshold().strict() == v1::SWITCH_ON;
  const std::vector<Rule> rules = MakeRules(family, data, look, is_strict);
  const std::vector<Rule> other_rules = MakeRules(family, data, look, !is_strict);
  std::vector<Decision> decisions(family.size());
  for (size_t i = 0; i < family.size(); ++i) decisions[i].rule = rules[i];
  if (!data.experiment.has_threshold()) {
    DecideByDifference(family, look, &decisions);
    return decisions;
  }
  for (size_t i = 0; i < family.size(); ++i) {
    Decision& decision = decisions[i];
    v1::Verdict other = v1::VERDICT_INCONCLUSIVE;
    if (MayDecide(family[i], look)) {
      decision.verdict = Decide(family[i], rules[i]);
      other = Decide(family[i], other_rules[i]);
    }
    decision.gate = MakeGateResult(family[i], rules[i], look, data.experiment.threshold());
    decision.gate->set_is_strict(is_strict);
    decision.gate->set_verdict_default(is_strict ? other : decision.verdict);
    decision.gate->set_verdict_strict(is_strict ? decision.verdict : other);
    if (decision.verdict != v1::VERDICT_INCONCLUSIVE) decision.gate->clear_units_needed();
  }
  return decisions;
}

}  // namespace tare::coordinator
