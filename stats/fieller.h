// At which x do lines reach a given y? The inverse of a prediction, with its interval.
//
// The answer is a ratio of two means that are not independent, (y - intercept) / slope, so its
// interval is not symmetric and there is none where the slope could be zero. The unit is the
// replicate: one line each.
//
// Pure function; safe to call from any thread.
// Source: Fieller, "Some problems in interval estimation" (1954).

#ifndef TARE_STATS_FIELLER_H_
#define TARE_STATS_FIELLER_H_

#include <span>

#include "absl/status/statusor.h"
#include "stats/line.h"
#include "stats/t_interval.h"

namespace tare::stats {

// The x at which the mean line reaches `y`, and all x that a t test over the replicates does not
// exclude. It says nothing about whether the lines hold that far out: compare with the x measured.
// Errors:
//   FailedPrecondition  fewer than two lines, all lines equal, or a mean slope that a t test of
//   this
//                       confidence cannot tell from zero: every x, or none, would do.
//   InvalidArgument     a number is not finite, or the confidence not strictly between 0 and 1.
absl::StatusOr<Interval> InversePrediction(std::span<const Line> replicates, double y,
                                           double confidence);

}  // namespace tare::stats

#endif  // TARE_STATS_FIELLER_H_
