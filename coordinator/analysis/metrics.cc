#include "coordinator/analysis/metrics.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/enum_word.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/process_metric.h"
#include "stats/log_ratio.h"

namespace tare::coordinator {
namespace {

void AddValues(const Unit& unit, double baseline, double candidate, MetricComparison* measured) {
  measured->baseline.push_back(baseline);
  measured->candidate.push_back(candidate);
  measured->differences.push_back(candidate - baseline);
  const absl::StatusOr<double> log_ratio = stats::LogRatio(baseline, candidate);
  if (log_ratio.ok()) measured->log_ratios.push_back(*log_ratio);
  measured->AddHost(unit, log_ratio.ok());
}

void TakeLatency(const CellComparison& comparison, MetricComparison* measured) {
  for (const Unit& unit : comparison.units) {
    measured->baseline.push_back(unit.baseline_ns);
    measured->candidate.push_back(unit.baseline_ns + unit.difference_ns);
    measured->AddHost(unit, unit.log_ratio.has_value());
  }
  measured->differences = comparison.Differences();
  measured->log_ratios = comparison.LogRatios();
}

MetricComparison MeasureMetric(const RunData& data, const CellComparison& comparison,
                               v1::Metric metric) {
  MetricComparison measured;
  measured.comparison = &comparison;
  measured.metric = metric;
  measured.scope = comparison.scope;
  if (metric == v1::METRIC_LATENCY) {
    TakeLatency(comparison, &measured);
    return measured;
  }
  for (const Unit& unit : comparison.units) {
    const ProcessMetric baseline = MeasureProcess(data.plan, *unit.baseline_trial, metric);
    const ProcessMetric candidate = MeasureProcess(data.plan, *unit.candidate_trial, metric);
    for (const ProcessMetric& value : {baseline, candidate}) {
      if (value.refusal.has_value() && !measured.refusal.has_value()) {
        measured.refusal = value.refusal;
      }
    }
    if (!measured.refusal.has_value()) {
      AddValues(unit, baseline.value, candidate.value, &measured);
    }
  }
  if (!measured.refusal.has_value()) return measured;
  MetricComparison refused;
  refused.comparison = &comparison;
  refused.metric = metric;
  refused.refusal = measured.refusal;
  return refused;
}

bool IsTareCommand(const v1::Experiment& experiment) {
  if (experiment.workload().command().empty()) return false;
  const std::string& program = experiment.workload().command(0);
  return program == "tare-command" || absl::EndsWith(program, "/tare-command");
}

}  // namespace

std::vector<double> MetricComparison::Scores(v1::Pairing pairing) const {
  std::vector<double> scores = pairing == v1::PAIRING_ROUNDS ? log_ratios : differences;
  if (IsLessWorse(metric)) {
    for (double& score : scores) score = -score;
  }
  return scores;
}

SampledValues MetricComparison::SampledDifferences() const { return {differences, scope, hosts}; }

SampledValues MetricComparison::SampledRatios() const { return {log_ratios, scope, ratio_hosts}; }

SampledValues MetricComparison::SampledScores(v1::Pairing pairing) const {
  return {Scores(pairing), scope, pairing == v1::PAIRING_ROUNDS ? ratio_hosts : hosts};
}

SampledValues MetricComparison::Sampled(std::vector<double> values) const {
  return {std::move(values), scope, hosts};
}

void MetricComparison::AddHost(const Unit& unit, bool has_ratio) {
  if (scope == v1::SCOPE_UNSPECIFIED) return;
  hosts.push_back(unit.groups.front());
  if (has_ratio) ratio_hosts.push_back(unit.groups.front());
}

std::vector<v1::Metric> MetricsToReport(const v1::Experiment& experiment) {
  std::vector<v1::Metric> metrics;
  for (int i = 0; i < experiment.metrics_size(); ++i) metrics.push_back(experiment.metrics(i));
  if (metrics.empty()) metrics.push_back(v1::METRIC_LATENCY);
  return metrics;
}

std::string NameMetric(const v1::Experiment& experiment, v1::Metric metric) {
  if (metric == v1::METRIC_LATENCY && IsTareCommand(experiment)) return "wall";
  return YamlWord(v1::Metric_descriptor()->FindValueByNumber(metric));
}

absl::string_view UnitOf(v1::Metric metric) {
  if (metric == v1::METRIC_THROUGHPUT) return "1/s";
  return metric == v1::METRIC_PEAK_MEMORY ? "bytes" : "ns";
}

bool IsTime(v1::Metric metric) { return UnitOf(metric) == "ns"; }

bool IsLessWorse(v1::Metric metric) { return metric == v1::METRIC_THROUGHPUT; }

std::vector<MetricComparison> MeasureMetrics(const RunData& data,
                                             std::span<const CellComparison* const> comparisons) {
  std::vector<MetricComparison> measured;
  for (const CellComparison* comparison : comparisons) {
    for (const v1::Metric metric : MetricsToReport(data.experiment)) {
      measured.push_back(MeasureMetric(data, *comparison, metric));
    }
  }
  return measured;
}

}  // namespace tare::coordinator
