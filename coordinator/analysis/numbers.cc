#include "coordinator/analysis/numbers.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/placement.h"
#include "coordinator/analysis/steps.h"
#include "coordinator/analysis/text.h"
#include "stats/hodges_lehmann.h"
#include "stats/moments.h"
#include "stats/quantile.h"
#include "stats/robust_sd.h"

namespace tare::coordinator {
namespace {

constexpr double kOddLimit = 5;

std::string MetricOf(const v1::Experiment& experiment) {
  if (experiment.workload().command().empty()) return "latency";
  const std::string& program = experiment.workload().command(0);
  return program == "tare-command" || absl::EndsWith(program, "/tare-command") ? "wall" : "latency";
}

bool HasSets(const v1::Plan& plan) {
  return plan.pairing() == v1::PAIRING_IN_PROCESS && plan.order() != v1::ORDER_BALANCED;
}

void CountSets(const v1::Plan& plan, const CellComparison& comparison,
               v1::ReportComparison* report) {
  int64_t sets = 0;
  int64_t positive = 0;
  for (const Unit& unit : comparison.units) {
    sets += static_cast<int64_t>(unit.set_differences_ns.size());
    positive += std::count_if(unit.set_differences_ns.begin(), unit.set_differences_ns.end(),
                              [](double difference) { return difference > 0; });
  }
  report->set_sets(sets);
  if (HasSets(plan) && sets > 0) {
    report->set_positive_share(static_cast<double>(positive) / static_cast<double>(sets));
  }
}

void AddMedians(const CellComparison& comparison, v1::ReportComparison* report) {
  std::vector<double> baseline;
  std::vector<double> candidate;
  for (const Unit& unit : comparison.units) {
    report->add_process_estimates_ns(unit.difference_ns);
    report->add_baseline_medians_ns(unit.baseline_ns);
    report->add_candidate_medians_ns(unit.candidate_ns);
    baseline.push_back(unit.baseline_ns);
    candidate.push_back(unit.candidate_ns);
  }
  if (baseline.empty()) return;
  report->set_baseline_median_ns(stats::Mean(baseline).value_or(0));
  report->set_candidate_median_ns(stats::Mean(candidate).value_or(0));
}

void AddHodgesLehmann(const std::vector<double>& differences, v1::ReportComparison* report) {
  const auto estimate = stats::HodgesLehmann(differences, kConfidence);
  if (!estimate.ok()) return;
  v1::Estimate* target = report->mutable_hodges_lehmann();
  target->set_value_ns(estimate->value);
  target->set_low_ns(estimate->low);
  target->set_high_ns(estimate->high);
  target->set_confidence(kConfidence);
}

void AddOrderEffect(const CellComparison& comparison, v1::ReportComparison* report) {
  std::vector<double> effects;
  for (const Unit& unit : comparison.units) {
    if (unit.position_effect_ns.has_value()) effects.push_back(*unit.position_effect_ns);
  }
  *report->mutable_order_effect()->mutable_effect() = MakeEstimate(effects, kConfidence);
}

}  // namespace

v1::ReportComparison MakeNumbers(const RunData& data, const CellComparison& comparison) {
  v1::ReportComparison report;
  report.set_baseline(comparison.planned->baseline());
  report.set_candidate(comparison.planned->candidate());
  report.set_metric(MetricOf(data.experiment));
  if (comparison.cell->levels_size() > 0) report.set_cell(NameCell(*comparison.cell));
  const std::vector<double> differences = comparison.Differences();
  const std::vector<double> log_ratios = comparison.LogRatios();
  *report.mutable_estimate() = MakeEstimate(differences, kConfidence);
  if (log_ratios.size() == differences.size()) {
    *report.mutable_ratio() = MakeRatio(log_ratios, kConfidence);
  }
  report.set_processes(static_cast<int32_t>(comparison.units.size()));
  CountSets(data.plan, comparison, &report);
  AddMedians(comparison, &report);
  AddHodgesLehmann(differences, &report);
  AddOrderEffect(comparison, &report);
  for (v1::StepResult& step : CompareSteps(comparison)) *report.add_steps() = std::move(step);
  *report.mutable_placement() = ExplainByPlacement(comparison);
  if (report.placement().status() == v1::CHECK_STATUS_WARNED) report.add_flags("placement");
  const auto odd = stats::OddValues(differences, kOddLimit);
  if (odd.ok() && !odd->empty()) report.add_flags("odd-process");
  return report;
}

std::optional<double> SetDifferenceSpreadNs(const CellComparison& comparison, v1::Pairing pairing) {
  std::vector<double> pooled;
  std::vector<double> spreads;
  for (const Unit& unit : comparison.units) {
    pooled.insert(pooled.end(), unit.set_differences_ns.begin(), unit.set_differences_ns.end());
    const absl::StatusOr<double> spread = stats::RobustSd(unit.set_differences_ns);
    if (spread.ok()) spreads.push_back(*spread);
  }
  const absl::StatusOr<double> spread =
      pairing == v1::PAIRING_ROUNDS ? stats::RobustSd(pooled) : stats::Median(spreads);
  return spread.ok() ? std::optional(*spread) : std::nullopt;
}

}  // namespace tare::coordinator
