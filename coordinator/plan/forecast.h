// What a plan will cost and what it can see, before it runs.
//
// Estimates for people; nothing is decided by them. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_PLAN_FORECAST_H_
#define TARE_COORDINATOR_PLAN_FORECAST_H_

#include <cstdint>
#include <optional>

#include "tare/v1/plan.pb.h"

namespace tare::coordinator {

// Start, checks, delivery and stop around the samples of one trial, as measured with
// examples/preview-cost.yaml. The run itself tells the time left from what its trials really take.
inline constexpr double kTrialOverheadNs = 0.4e9;

struct Assumptions {
  // One operation, whichever the arm; unknown before anything was measured.
  std::optional<double> operation_ns;
  // Standard deviation of the difference between units; unknown before anything was measured.
  std::optional<double> spread_ns;
  double trial_overhead_ns = kTrialOverheadNs;
};

struct Forecast {
  // Of all trials, arms and iterations; warm-up and washout included.
  int64_t operations_count = 0;
  // All trials without their operations.
  double overhead_ns = 0;
  // The whole run; absent when the time of an operation is unknown.
  std::optional<double> duration_ns;
  // Independent units of each comparison: fresh processes or rounds.
  int32_t units_count = 0;
  // The effect found with 80 % probability (two-sided 5 %), in standard deviations of the
  // difference between units. Absent for fewer than 3 units.
  std::optional<double> visible_spreads;
  // The same as a time; absent when the spread is unknown.
  std::optional<double> visible_ns;
};

Forecast MakeForecast(const v1::Plan& plan, const Assumptions& assumptions);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_FORECAST_H_
