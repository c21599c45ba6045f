#include "coordinator/analysis/course.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "base/enum_word.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

std::optional<double> QuantileOf(v1::Metric metric) {
  switch (metric) {
    case v1::METRIC_LATENCY:
    case v1::METRIC_P50:
      return 0.5;
    case v1::METRIC_P90:
      return 0.9;
    case v1::METRIC_P95:
      return 0.95;
    case v1::METRIC_P99:
      return 0.99;
    default:
      return std::nullopt;
  }
}

std::optional<double> QuantileMetric(std::span<const double> values_ns, v1::Metric metric) {
  const std::optional<double> q = QuantileOf(metric);
  if (!q.has_value()) return std::nullopt;
  const double above = static_cast<double>(values_ns.size()) * (1 - *q);
  if (*q > 0.5 && above < kTailSamplesMin) return std::nullopt;
  const absl::StatusOr<double> value = stats::Quantile(values_ns, *q);
  return value.ok() ? std::optional(*value) : std::nullopt;
}

}  // namespace

Course CourseOf(const v1::Plan& plan, const UsedTrial& trial) {
  const double iterations = std::max(1, plan.iterations());
  Course course;
  for (const v1::SampleBlock& block : trial.data->blocks) {
    for (int64_t ns : block.value_ns()) {
      course.values_ns.push_back(static_cast<double>(ns) / iterations);
    }
  }
  course.warmup = course.values_ns.size() - trial.samples.values_ns.size();
  return course;
}

std::vector<double> ValuesByRound(const v1::Plan& plan, const CellComparison& comparison, Side side,
                                  v1::Metric metric, Window window) {
  std::vector<double> values;
  for (const Unit& unit : comparison.units) {
    const Course course =
        CourseOf(plan, side == Side::kBaseline ? *unit.baseline_trial : *unit.candidate_trial);
    if (course.values_ns.size() < course.warmup + kCourseSamplesMin) return {};
    const size_t first = window == Window::kAll ? 0 : course.warmup;
    const auto value = QuantileMetric(std::span(course.values_ns).subspan(first), metric);
    if (!value.has_value() || *value <= 0) return {};
    values.push_back(*value);
  }
  return values;
}

std::string MetricWord(v1::Metric metric) {
  return YamlWord(v1::Metric_descriptor()->FindValueByNumber(metric));
}

std::vector<v1::Metric> MetricsOf(const v1::Experiment& experiment) {
  std::vector<v1::Metric> metrics;
  for (int metric : experiment.metrics()) metrics.push_back(static_cast<v1::Metric>(metric));
  if (metrics.empty()) metrics.push_back(v1::METRIC_LATENCY);
  return metrics;
}

}  // namespace tare::coordinator
