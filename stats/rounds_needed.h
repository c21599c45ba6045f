// How many rounds does a gate need before it is likely to decide?
//
// Said with an inconclusive verdict, and before a run from the spread of an earlier one. For a
// number of rounds that was declared in advance, not for planned looks, which need fewer on
// average.
//
// Pure function; safe to call from any thread.
// Source: the power of the one-sided t test by the noncentral t distribution (any textbook).

#ifndef TARE_STATS_ROUNDS_NEEDED_H_
#define TARE_STATS_ROUNDS_NEEDED_H_

#include <cstddef>

#include "absl/status/statusor.h"

namespace tare::stats {

inline constexpr size_t kRoundsNeededMax = 100'000;

// The smallest n, from kGateUnitsMin to kRoundsNeededMax, at which a one-sided t test at `level`
// sees with probability `power` that the mean is beyond a limit `gap` away; `sd` is that of one
// round's score, in the unit of the gap. So
//   a pass where nothing changed   gap log(1 + threshold), level 0.05
//   a strict fail of an effect     gap log(1 + effect) - log(1 + threshold), level 0.01
// Errors: InvalidArgument when gap or sd is not finite and above zero, the level outside (0, 0.5],
// or the power outside [0.1, 0.999]; OutOfRange when even kRoundsNeededMax rounds would not do.
absl::StatusOr<size_t> RoundsNeeded(double gap, double sd, double level, double power);

}  // namespace tare::stats

#endif  // TARE_STATS_ROUNDS_NEEDED_H_
