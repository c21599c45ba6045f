// The metrics of an experiment: what is compared, as one number a unit of each arm.
//
// Latency comes from units.h in every design. The others describe a whole process, so they exist in
// rounds only, where a process runs one arm.

#ifndef TARE_COORDINATOR_ANALYSIS_METRICS_H_
#define TARE_COORDINATOR_ANALYSIS_METRICS_H_

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/sampled_values.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// One metric of one planned comparison in one cell.
struct MetricComparison {
  const CellComparison* comparison = nullptr;
  v1::Metric metric = v1::METRIC_LATENCY;
  // By unit, in the unit of the metric; the candidate is the baseline plus the difference, which in
  // designs with sets is freed of order.
  std::vector<double> baseline;
  std::vector<double> candidate;
  std::vector<double> differences;  // candidate - baseline
  std::vector<double> log_ratios;   // candidate over baseline; shorter where some have none
  // The host of each difference and of each log ratio; empty, and the scope unspecified, where all
  // are of one host.
  v1::Scope scope = v1::SCOPE_UNSPECIFIED;
  std::vector<size_t> hosts = {};
  std::vector<size_t> ratio_hosts = {};
  // Why the metric cannot be had; then there are no values.
  std::optional<v1::Refusal> refusal;

  // What tests rest on, above zero where the candidate is worse: log ratios in rounds, otherwise
  // differences.
  std::vector<double> Scores(v1::Pairing pairing) const;

  SampledValues SampledDifferences() const;
  SampledValues SampledRatios() const;
  SampledValues SampledScores(v1::Pairing pairing) const;
  // Of one value a unit.
  SampledValues Sampled(std::vector<double> values) const;

  // Takes the unit's host for the difference and, where it has one, the log ratio added last.
  void AddHost(const Unit& unit, bool has_ratio);
};

// The metrics of the experiment; latency when it names none.
std::vector<v1::Metric> MetricsToReport(const v1::Experiment& experiment);

// "latency" ("wall" of tare-command), "p95", "server-cpu".
std::string NameMetric(const v1::Experiment& experiment, v1::Metric metric);

// "ns", "1/s" or "bytes".
absl::string_view UnitOf(v1::Metric metric);
bool IsTime(v1::Metric metric);
// Of throughput less is worse, of all others more.
bool IsLessWorse(v1::Metric metric);

// Every metric of every comparison; of one comparison in the order of the experiment. A metric that
// some unit does not have gives a refusal: `too-few-samples` for a tail quantile that rests on
// fewer than 20 samples beyond it, `incomplete` for what was not recorded.
std::vector<MetricComparison> MeasureMetrics(const RunData& data,
                                             std::span<const CellComparison* const> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_METRICS_H_
