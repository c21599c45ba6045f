#include "coordinator/analysis/components.h"

#include <cmath>
#include <numeric>
#include <string>

#include "absl/status/statusor.h"
#include "stats/variance_components.h"

namespace tare::coordinator {
namespace {

absl::string_view UnitName(const v1::Plan& plan) {
  return plan.pairing() == v1::PAIRING_ROUNDS ? "round" : "process";
}

// "set" where samples of the arms belong together.
absl::string_view SampleName(const v1::Plan& plan) {
  const bool has_sets = plan.pairing() != v1::PAIRING_ROUNDS && plan.order() != v1::ORDER_BALANCED;
  return has_sets ? "set" : "sample";
}

// Of the differences by unit; empty when a unit lacks it, or the metric has no samples of its own.
std::vector<double> SquaredErrors(const MetricComparison& measured) {
  std::vector<double> errors;
  if (measured.metric != v1::METRIC_LATENCY) return errors;
  for (const Unit& unit : measured.comparison->units) {
    if (!unit.squared_error_ns2.has_value()) return {};
    errors.push_back(*unit.squared_error_ns2);
  }
  return errors;
}

v1::VarianceComponent Component(absl::string_view level, double variance, int64_t units) {
  v1::VarianceComponent component;
  component.set_level(std::string(level));
  component.set_sd_ns(std::sqrt(variance));
  component.set_units(static_cast<int32_t>(units));
  return component;
}

// What one set would have to vary by for the errors of the medians, were sets independent.
v1::VarianceComponent SampleComponent(const v1::Plan& plan, const CellComparison& comparison,
                                      double squared_error) {
  int64_t sets = 0;
  for (const Unit& unit : comparison.units) {
    sets += static_cast<int64_t>(unit.set_differences_ns.size());
  }
  const double sets_of_unit =
      static_cast<double>(sets) / static_cast<double>(comparison.units.size());
  return Component(SampleName(plan), sets_of_unit * squared_error, sets);
}

}  // namespace

absl::string_view UnitOfInference(const v1::Plan& plan, const CellComparison& comparison) {
  return comparison.scope == v1::SCOPE_HOSTS ? "host" : UnitName(plan);
}

std::vector<v1::VarianceComponent> MakeComponents(const v1::Plan& plan,
                                                  const MetricComparison& measured) {
  const CellComparison& comparison = *measured.comparison;
  const std::vector<double> errors = SquaredErrors(measured);
  std::vector<std::vector<size_t>> groups(comparison.levels.size());
  for (const Unit& unit : comparison.units) {
    for (size_t i = 0; i < groups.size(); ++i) groups[i].push_back(unit.groups[i]);
  }
  const auto levels = stats::VarianceComponents({measured.differences, errors, groups});
  if (!levels.ok()) return {};
  std::vector<v1::VarianceComponent> components;
  std::vector<double> parts;  // of the variance of the mean
  if (!errors.empty()) {
    const double count = static_cast<double>(errors.size());
    const double squared_error = std::accumulate(errors.begin(), errors.end(), 0.0) / count;
    components.push_back(SampleComponent(plan, comparison, squared_error));
    parts.push_back(squared_error / count);
  }
  for (size_t i = 0; i < levels->size(); ++i) {
    const stats::LevelVariance& level = (*levels)[i];
    const absl::string_view name =
        i == 0 ? UnitName(plan) : absl::string_view(comparison.levels[i - 1].name);
    components.push_back(Component(name, level.variance, static_cast<int64_t>(level.units)));
    components.back().set_is_clamped(level.is_clamped);
    parts.push_back(level.variance * level.weight);
  }
  const double whole = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (size_t i = 0; whole > 0 && i < components.size(); ++i) {
    components[i].set_share(parts[i] / whole);
  }
  return components;
}

}  // namespace tare::coordinator
