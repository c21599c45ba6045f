// The smallest visible effect from all rungs of a ladder of known delays.
//
// Equal arms do not show a spread that grows with the effect. The rungs do: s²(d) = s0² + κ² d² is
// fitted to their variances, and the effect that is found is the one that its own spread allows.
// Pooling the rungs also halves the uncertainty when κ is small.
//
// Pure function; safe to call from any thread.
// Source: weighted least squares with both terms at least 0; weights 1/fit², the variance of a
// variance, by five iterations.

#ifndef TARE_STATS_VISIBLE_FROM_LADDER_H_
#define TARE_STATS_VISIBLE_FROM_LADDER_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// Over the units of one rung.
struct RungSpread {
  double delay = 0;  // at least 0
  double sd = 0;     // of the units' differences
  size_t count = 0;  // units
};

struct SpreadOfEffect {
  double at_zero = 0;  // s0
  double growth = 0;   // κ, for each unit of delay
};

// Errors: InvalidArgument for fewer than three rungs, or a number that is negative or not finite.
absl::StatusOr<SpreadOfEffect> FitSpread(std::span<const RungSpread> rungs);

// k u s0 / √(1 - (k κ)²), with k and u as in SmallestVisibleEffect for as many units as the
// smallest rung has, in the unit of the delays. Errors: those of FitSpread and VisibleFactor;
// FailedPrecondition with fewer than kSmallestVisibleUnitsMin units, when s0 is 0, and when k κ
// reaches 1: then the spread grows as fast as the effect, and none is large enough.
absl::StatusOr<double> VisibleFromLadder(std::span<const RungSpread> rungs, double power);

}  // namespace tare::stats

#endif  // TARE_STATS_VISIBLE_FROM_LADDER_H_
