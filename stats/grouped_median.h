// The median of values that a clock's tick has rounded to a lattice.
//
// The ordinary median of such values can only sit on the lattice, so intervals of it collapse to
// zero width or jump by a tick. The grouped median spreads the values of one lattice point evenly
// over the tick around it. With distinct values it is the ordinary median, so it is used always.
//
// Pure function; safe to call from any thread.
// Source: the median of grouped data (Yule and Kendall, "An Introduction to the Theory of
// Statistics"). With a tick of 0.7 standard deviations its bias is 0.5 % of the tick, the ordinary
// median's 13 %.

#ifndef TARE_STATS_GROUPED_MEDIAN_H_
#define TARE_STATS_GROUPED_MEDIAN_H_

#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// `tick` is the distance of two lattice points, in the unit of the values; 0 where there is none.
// Errors: those of CheckValues with at least one value; InvalidArgument when the tick is negative
// or not finite.
absl::StatusOr<double> GroupedMedian(std::span<const double> values, double tick);

}  // namespace tare::stats

#endif  // TARE_STATS_GROUPED_MEDIAN_H_
