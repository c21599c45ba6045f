// How often to repeat at each level: samples in a process, processes on a host, and so on.
//
// From the variance that each level adds by itself (variance_components.h) and what one more unit
// of it costs: more samples in a process are cheap, but cannot average away what differs between
// processes. Not for runs that stop early.
//
// Pure functions; safe to call from any thread.
// Source: Kalibera and Jones, "Rigorous benchmarking in reasonable time" (2013), section 6.

#ifndef TARE_STATS_LEVEL_COUNTS_H_
#define TARE_STATS_LEVEL_COUNTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::stats {

// Fewer samples make a poor median; more cost and hardly help. A factor of 2 beside the optimum
// costs at most 12.5 %.
inline constexpr size_t kSamplesCountMin = 30;
inline constexpr size_t kLevelCountMax = 3000;
// A verdict needs five units, and nobody waits for more than this.
inline constexpr size_t kTopCountMin = 5;
inline constexpr size_t kTopCountMax = 10'000;

struct LevelCost {
  double variance = 0;  // that the level adds by itself, at least 0
  double cost = 0;      // of one more unit without the units in it, above 0
};

// √(c₂/c₁ · T₁²/T₂²): how many units of the lower level one of the upper should have. Infinity when
// the upper level adds nothing and the lower does; 0 when the lower adds nothing.
// InvalidArgument: a variance is negative, a cost not above zero, or either not finite.
absl::StatusOr<double> BestRatio(const LevelCost& lower, const LevelCost& upper);

// The ratio rounded up, at most kLevelCountMax, for every level but the highest;
// `levels` has the lowest first, which is given at least kSamplesCountMin, the others at least 1.
// InvalidArgument: as BestRatio, or fewer than two levels.
absl::StatusOr<std::vector<size_t>> LevelCounts(std::span<const LevelCost> levels);

// What the mean of one unit of the highest level varies by: T_L² + T_{L-1}²/n_{L-1} + …; `counts`
// as LevelCounts gives them. Requires: one count fewer than levels, each above 0.
double VarianceOfTopUnit(std::span<const LevelCost> levels, std::span<const size_t> counts);

// The half width that the 95 % t interval of `count` units has when their variance is `variance`.
// Requires: count of at least 2.
double HalfWidth(double variance, size_t count);

// The smallest count from kTopCountMin to kTopCountMax whose half width is at most the wanted one;
// or which finds an effect of the wanted size with probability `power` (two-sided 5 %).
// Errors: InvalidArgument when variance or size is not finite, the variance negative or the size
// not above zero, or those of VisibleFactor; OutOfRange when even kTopCountMax would not do.
absl::StatusOr<size_t> CountForHalfWidth(double variance, double half_width);
absl::StatusOr<size_t> CountForEffect(double variance, double effect, double power);

}  // namespace tare::stats

#endif  // TARE_STATS_LEVEL_COUNTS_H_
