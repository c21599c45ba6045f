// The smallest effect that a run of this size and spread finds reliably.
//
// Stated from the control differences of the run itself (arms that are known to be equal), before
// anyone looks at the comparison; it annotates a verdict and never overrides one.
//
// Pure functions; safe to call from any thread.
// Source: the power of the t test by the noncentral t distribution (any textbook); the factor u
// makes it hold with 80 % confidence, the spread itself being estimated. Without u the true power
// is below 70 % in 37 % of cases at ten units.

#ifndef TARE_STATS_SMALLEST_VISIBLE_H_
#define TARE_STATS_SMALLEST_VISIBLE_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"
#include "stats/standard_error.h"

namespace tare::stats {

// Below this the estimated spread is uncertain by a factor of about two.
inline constexpr size_t kSmallestVisibleUnitsMin = 8;

// k with power = 1 - F(t(.975, n-1); n-1, k √n), F the noncentral t: an effect of k standard
// deviations between units is found at two-sided 5 % with this power.
// InvalidArgument: fewer than 3 units, or a power outside [0.1, 0.999].
absl::StatusOr<double> VisibleFactor(size_t units, double power);

// u = √(v / χ²(.2, v)), v = n - 1: an upper 80 % limit of a standard deviation over its estimate.
// InvalidArgument: fewer than 2 units.
absl::StatusOr<double> SpreadFactor(size_t units);

// k u sd, in the unit of the differences. Errors: those of CheckVaries with at least
// kSmallestVisibleUnitsMin values, and of VisibleFactor.
absl::StatusOr<double> SmallestVisibleEffect(std::span<const double> control_differences,
                                             double power);

// The same of a mean whose error is known already: with v its degrees, an effect of that many of
// its errors, times u. Errors: FailedPrecondition below kSmallestVisibleUnitsMin - 1 degrees;
// InvalidArgument for a power outside [0.1, 0.999].
absl::StatusOr<double> SmallestVisibleEffect(const StandardError& se, double power);

struct GateLimits {
  double floor = 0;
  double threshold = 0;
  double level = 0.01;
};

// What a gate of so many units fails with this power: max(F + k sd, T + z(power) sd/√n), with k as
// in VisibleFactor but for one side at `level`. The first part is seen above the floor F, the
// second has its mean above the threshold T; each alone has the power, both together 76 to 80 % for
// 80 %. F, T and sd, that of one unit's score, in one unit (log(1 + x) for ratios). Errors: those
// of VisibleFactor; InvalidArgument when F, T or sd is not finite, F is above T, sd is not above
// zero, or the level is outside (0, 0.5].
absl::StatusOr<double> SmallestVisibleInGate(const GateLimits& limits, double sd, size_t units,
                                             double power);

}  // namespace tare::stats

#endif  // TARE_STATS_SMALLEST_VISIBLE_H_
