// Student's t: intervals, one-sided limits and the test of "the mean is zero".
//
// For one number a unit of inference (process, round). Over simulated process effects it covers
// 94.2 to 95.7 % of 95 % at every count from 3 to 20; strong skew or rare far units lower that
// (docs/statistics.md, limits). Never for pooled samples.
//
// Pure functions; safe to call from any thread.
// Source: Student, "The probable error of a mean" (1908).
//
// Errors of all: those of CheckVaries with at least two values; InvalidArgument when the confidence
// is not strictly between 0 and 1.

#ifndef TARE_STATS_T_INTERVAL_H_
#define TARE_STATS_T_INTERVAL_H_

#include <span>

#include "absl/status/statusor.h"
#include "stats/standard_error.h"

namespace tare::stats {

struct Interval {
  double value = 0;
  double low = 0;
  double high = 0;
};

// The quantile `p` of Student's t. Requires: 0 < p < 1, degrees > 0.
double TQuantile(double p, double degrees);

// mean ± t(1 - (1 - confidence)/2, n - 1) sd/√n.
absl::StatusOr<Interval> TInterval(std::span<const double> values, double confidence);
// The same of a mean whose error is known already, with its degrees.
absl::StatusOr<Interval> TInterval(const StandardError& se, double confidence);

// mean ∓ t(confidence, n - 1) sd/√n: below (above) the true mean with this confidence.
absl::StatusOr<double> TLowerLimit(std::span<const double> values, double confidence);
absl::StatusOr<double> TUpperLimit(std::span<const double> values, double confidence);

// The two-sided p value of "the mean is zero".
absl::StatusOr<double> TTestP(std::span<const double> values);
double TTestP(const StandardError& se);

}  // namespace tare::stats

#endif  // TARE_STATS_T_INTERVAL_H_
