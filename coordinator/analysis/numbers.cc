#include "coordinator/analysis/numbers.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/analysis/components.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/placement.h"
#include "coordinator/analysis/steps.h"
#include "coordinator/analysis/text.h"
#include "coordinator/analysis/work.h"
#include "stats/hodges_lehmann.h"
#include "stats/moments.h"
#include "stats/quantile.h"
#include "stats/robust_sd.h"

namespace tare::coordinator {
namespace {

constexpr double kOddLimit = 5;

bool HasSets(const v1::Plan& plan) {
  return plan.pairing() != v1::PAIRING_ROUNDS && plan.order() != v1::ORDER_BALANCED;
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

// Of units that are alike: those of several hosts, taken as they are, are not.
void AddHodgesLehmann(const SampledValues& differences, v1::ReportComparison* report) {
  if (differences.scope == v1::SCOPE_THESE_HOSTS) return;
  const auto estimate = stats::HodgesLehmann(differences.Units(), kConfidence);
  if (!estimate.ok()) return;
  v1::Estimate* target = report->mutable_hodges_lehmann();
  target->set_value_ns(estimate->value);
  target->set_low_ns(estimate->low);
  target->set_high_ns(estimate->high);
  target->set_confidence(kConfidence);
}

void AddOrderEffect(const CellComparison& comparison, v1::ReportComparison* report) {
  SampledValues effects{{}, comparison.scope};
  for (const Unit& unit : comparison.units) {
    if (unit.position_effect_ns.has_value()) effects.Add(*unit.position_effect_ns, unit.groups);
  }
  *report->mutable_order_effect()->mutable_effect() = MakeEstimate(effects, kConfidence);
}

// What only samples of the operation itself have.
void AddLatency(const RunData& data, const CellComparison& comparison,
                v1::ReportComparison* report) {
  CountSets(data.plan, comparison, report);
  AddMedians(comparison, report);
  AddOrderEffect(comparison, report);
  for (v1::StepResult& step : CompareSteps(comparison)) *report->add_steps() = std::move(step);
  *report->mutable_placement() = ExplainByPlacement(comparison, data.plan.pairing());
  if (report->placement().status() == v1::CHECK_STATUS_WARNED) report->add_flags("placement");
}

void AddValues(const MetricComparison& measured, v1::ReportComparison* report) {
  report->mutable_baseline_values()->Add(measured.baseline.begin(), measured.baseline.end());
  report->mutable_candidate_values()->Add(measured.candidate.begin(), measured.candidate.end());
  if (measured.baseline.empty()) return;
  report->set_baseline_value(stats::Mean(measured.baseline).value_or(0));
  report->set_candidate_value(stats::Mean(measured.candidate).value_or(0));
}

}  // namespace

v1::ReportComparison MakeNumbers(const RunData& data, const MetricComparison& measured) {
  const CellComparison& comparison = *measured.comparison;
  v1::ReportComparison report;
  report.set_baseline(comparison.planned->baseline());
  report.set_candidate(comparison.planned->candidate());
  report.set_metric(NameMetric(data.experiment, measured.metric));
  report.set_unit(std::string(UnitOf(measured.metric)));
  if (comparison.cell->levels_size() > 0) report.set_cell(NameCell(*comparison.cell));
  report.set_processes(static_cast<int32_t>(comparison.units.size()));
  report.set_unit_of_inference(std::string(UnitOfInference(data.plan, comparison)));
  if (measured.log_ratios.size() == measured.differences.size()) {
    *report.mutable_ratio() = MakeRatio(measured.SampledRatios(), kConfidence);
  }
  if (IsTime(measured.metric)) {
    *report.mutable_estimate() = MakeEstimate(measured.SampledDifferences(), kConfidence);
    AddHodgesLehmann(measured.SampledDifferences(), &report);
    for (v1::VarianceComponent& component : MakeComponents(data.plan, measured)) {
      *report.add_variance_components() = std::move(component);
    }
  }
  if (measured.metric == v1::METRIC_LATENCY) {
    AddLatency(data, comparison, &report);
  } else {
    AddValues(measured, &report);
  }
  const auto odd = stats::OddValues(measured.differences, kOddLimit);
  if (odd.ok() && !odd->empty()) report.add_flags("odd-process");
  if (IsClosedLoop(comparison)) report.add_flags("closed-loop");
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
