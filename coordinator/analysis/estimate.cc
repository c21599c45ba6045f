#include "coordinator/analysis/estimate.h"

#include <cmath>

#include "stats/moments.h"
#include "stats/t_interval.h"

namespace tare::coordinator {

v1::Estimate MakeEstimate(std::span<const double> values_ns, double confidence) {
  return MakeEstimate(SampledValues{{values_ns.begin(), values_ns.end()}}, confidence);
}

v1::Estimate MakeEstimate(const SampledValues& values_ns, double confidence) {
  v1::Estimate estimate;
  estimate.set_confidence(confidence);
  const absl::StatusOr<double> mean = stats::Mean(values_ns.Units());
  if (mean.ok()) estimate.set_value_ns(*mean);
  if (values_ns.UnitsCount() < kUnitsForIntervalMin) return estimate;
  const absl::StatusOr<stats::StandardError> error = values_ns.Error();
  if (!error.ok()) return estimate;
  const absl::StatusOr<stats::Interval> interval = stats::TInterval(*error, confidence);
  if (!interval.ok()) return estimate;
  estimate.set_low_ns(interval->low);
  estimate.set_high_ns(interval->high);
  return estimate;
}

v1::Ratio MakeRatio(const SampledValues& log_ratios, double confidence) {
  v1::Ratio ratio;
  const v1::Estimate estimate = MakeEstimate(log_ratios, confidence);
  if (estimate.has_value_ns()) ratio.set_value(std::exp(estimate.value_ns()));
  if (!estimate.has_low_ns()) return ratio;
  ratio.set_low(std::exp(estimate.low_ns()));
  ratio.set_high(std::exp(estimate.high_ns()));
  return ratio;
}

bool ExcludesZero(const v1::Estimate& estimate) {
  return estimate.has_low_ns() && (estimate.low_ns() > 0 || estimate.high_ns() < 0);
}

double PValue(const SampledValues& values) {
  if (values.UnitsCount() < kUnitsForIntervalMin) return 1;
  const absl::StatusOr<stats::StandardError> error = values.Error();
  return error.ok() ? stats::TTestP(*error) : 1;
}

}  // namespace tare::coordinator
