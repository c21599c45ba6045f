#include "coordinator/analysis/estimate.h"

#include <cmath>

#include "stats/moments.h"
#include "stats/t_interval.h"

namespace tare::coordinator {

v1::Estimate MakeEstimate(std::span<const double> values_ns, double confidence) {
  v1::Estimate estimate;
  estimate.set_confidence(confidence);
  const absl::StatusOr<double> mean = stats::Mean(values_ns);
  if (mean.ok()) estimate.set_value_ns(*mean);
  if (values_ns.size() < kUnitsForIntervalMin) return estimate;
  const absl::StatusOr<stats::Interval> interval = stats::TInterval(values_ns, confidence);
  if (!interval.ok()) return estimate;
  estimate.set_low_ns(interval->low);
  estimate.set_high_ns(interval->high);
  return estimate;
}

v1::Ratio MakeRatio(std::span<const double> log_ratios, double confidence) {
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

double PValue(std::span<const double> values) {
  if (values.size() < kUnitsForIntervalMin) return 1;
  return stats::TTestP(values).value_or(1);
}

}  // namespace tare::coordinator
