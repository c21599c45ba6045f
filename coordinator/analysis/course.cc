#include "coordinator/analysis/course.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "coordinator/analysis/process_metric.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

std::optional<double> QuantileMetric(std::span<const double> values_ns, v1::Metric metric) {
  const std::optional<double> q = metric == v1::METRIC_LATENCY ? 0.5 : QuantileOf(metric);
  if (!q.has_value() || !BearsQuantile(values_ns.size(), *q)) return std::nullopt;
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

}  // namespace tare::coordinator
