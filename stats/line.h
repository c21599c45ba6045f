// The line through the points of one replicate, such as latency against delay.
//
// The slope is the weighted median of the slopes of all pairs of points, each weighted by the
// distance of its two x: a far point in y moves it little, and pairs of near x, whose slopes are
// mostly noise, count little. It has no interval of its own, because the points of a replicate
// share its processes' luck: take the slopes of several replicates to a t interval.
//
// Pure function; safe to call from any thread.
// Source: Theil, "A rank-invariant method of linear and polynomial regression analysis" (1950);
// weights after Jaeckel, "Estimating regression coefficients by minimizing the dispersion of the
// residuals" (1972). On levels such as 0, 1, 2, 5, 10 the unweighted median is 1.4 times noisier.

#ifndef TARE_STATS_LINE_H_
#define TARE_STATS_LINE_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// Time and memory grow with the square of the count.
inline constexpr size_t kLinePointsMax = 1000;

struct Line {
  double slope = 0;
  double intercept = 0;
};

// Slope: the first pairwise slope, in ascending order, at which the weights reach half of their
// sum; where they reach exactly half, its mean with the next. Pairs of equal x have no slope and no
// weight. Intercept: the median of y - slope x.
// Errors: those of CheckVaries for x with at least two values and of CheckValues for y;
// InvalidArgument when the spans differ in length; ResourceExhausted above kLinePointsMax.
absl::StatusOr<Line> FitLine(std::span<const double> x, std::span<const double> y);

// The slope of the least-squares line through the origin, Σ(x y) / Σ(x²): of one replicate, such as
// what delays carry over to the next operation. Errors: those of CheckValues for both with at least
// one value; InvalidArgument when the spans differ in length; FailedPrecondition when every x is 0.
absl::StatusOr<double> SlopeThroughOrigin(std::span<const double> x, std::span<const double> y);

}  // namespace tare::stats

#endif  // TARE_STATS_LINE_H_
