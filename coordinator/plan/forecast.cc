#include "coordinator/plan/forecast.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tare::coordinator {
namespace {

constexpr int32_t kUnitsMin = 3;

// For 3 to 30 units: the k with which an effect of k standard deviations is found by the t test
// with probability 0.8, exact by the non-central t distribution.
constexpr std::array<double, 28> kVisibleSpreads = {
    3.264, 2.128, 1.682, 1.435, 1.273, 1.156, 1.067, 0.996, 0.938, 0.889,
    0.847, 0.810, 0.778, 0.749, 0.724, 0.701, 0.680, 0.660, 0.643, 0.626,
    0.611, 0.597, 0.584, 0.572, 0.560, 0.549, 0.539, 0.529};

std::optional<double> VisibleSpreads(int32_t units_count) {
  if (units_count < kUnitsMin) return std::nullopt;
  const auto index = static_cast<size_t>(units_count - kUnitsMin);
  if (index < kVisibleSpreads.size()) return kVisibleSpreads[index];
  // Beyond the table by its square root law, at most 4 % too large.
  const double units_in_table = kVisibleSpreads.size() + kUnitsMin - 1;
  return kVisibleSpreads.back() * std::sqrt(units_in_table / units_count);
}

}  // namespace

Forecast MakeForecast(const v1::Plan& plan, const Assumptions& assumptions) {
  Forecast forecast;
  for (const v1::Trial& trial : plan.trials()) {
    forecast.units_count = std::max(forecast.units_count, trial.round() + 1);
    forecast.operations_count +=
        int64_t{trial.sample_arms_size()} * (int64_t{plan.iterations()} + plan.washout());
  }
  forecast.overhead_ns = plan.trials_size() * assumptions.trial_overhead_ns;
  if (assumptions.operation_ns.has_value()) {
    forecast.duration_ns = forecast.overhead_ns + static_cast<double>(forecast.operations_count) *
                                                      *assumptions.operation_ns;
  }
  forecast.visible_spreads = VisibleSpreads(forecast.units_count);
  if (forecast.visible_spreads.has_value() && assumptions.spread_ns.has_value()) {
    forecast.visible_ns = *forecast.visible_spreads * *assumptions.spread_ns;
  }
  return forecast;
}

}  // namespace tare::coordinator
