// Numbers of the report from numbers of units: t intervals where there are enough units.

#ifndef TARE_COORDINATOR_ANALYSIS_ESTIMATE_H_
#define TARE_COORDINATOR_ANALYSIS_ESTIMATE_H_

#include <cstddef>
#include <span>

#include "coordinator/analysis/sampled_values.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

inline constexpr double kConfidence = 0.95;
inline constexpr size_t kUnitsForIntervalMin = 3;
inline constexpr size_t kUnitsForVerdictMin = 5;

// The mean of the values, in ns, with its t interval; without the interval below
// kUnitsForIntervalMin values or when all are equal, without a value when there is none.
v1::Estimate MakeEstimate(std::span<const double> values_ns, double confidence);

v1::Estimate MakeEstimate(const SampledValues& values_ns, double confidence);

// exp() of the same for log ratios.
v1::Ratio MakeRatio(const SampledValues& log_ratios, double confidence);

// Whether the interval exists and does not contain zero.
bool ExcludesZero(const v1::Estimate& estimate);

// The two-sided p value of "the mean is zero" by the t test; 1 when it cannot be had.
double PValue(const SampledValues& values);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_ESTIMATE_H_
