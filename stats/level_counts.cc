#include "stats/level_counts.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/smallest_visible.h"
#include "stats/t_interval.h"

namespace tare::stats {
namespace {

constexpr double kQuantileOf95 = 0.975;

absl::Status CheckLevel(const LevelCost& level) {
  if (std::isfinite(level.variance) && level.variance >= 0 && std::isfinite(level.cost) &&
      level.cost > 0) {
    return absl::OkStatus();
  }
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("no counts for a level with variance ", level.variance,
                                " and cost ", level.cost));
}

absl::Status CheckWanted(double variance, double size) {
  if (std::isfinite(variance) && variance >= 0 && std::isfinite(size) && size > 0) {
    return absl::OkStatus();
  }
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("no number of units for variance ", variance, " and size ", size));
}

// The smallest count with `is_enough`, which stays true from there on.
absl::StatusOr<size_t> SmallestCount(const std::function<bool(size_t)>& is_enough) {
  if (!is_enough(kTopCountMax)) {
    return MakeError(absl::StatusCode::kOutOfRange,
                     absl::StrCat("more than ", kTopCountMax, " units are needed"));
  }
  size_t too_few = kTopCountMin - 1;
  size_t enough = kTopCountMax;
  while (enough - too_few > 1) {
    const size_t middle = too_few + (enough - too_few) / 2;
    (is_enough(middle) ? enough : too_few) = middle;
  }
  return enough;
}

}  // namespace

absl::StatusOr<double> BestRatio(const LevelCost& lower, const LevelCost& upper) {
  RETURN_IF_ERROR(CheckLevel(lower));
  RETURN_IF_ERROR(CheckLevel(upper));
  if (lower.variance == 0) return 0;
  if (upper.variance == 0) return std::numeric_limits<double>::infinity();
  return std::sqrt(upper.cost / lower.cost * lower.variance / upper.variance);
}

absl::StatusOr<std::vector<size_t>> LevelCounts(std::span<const LevelCost> levels) {
  if (levels.size() < 2) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("too few levels: ", levels.size(), " of at least 2"));
  }
  std::vector<size_t> counts;
  for (size_t i = 0; i + 1 < levels.size(); ++i) {
    ASSIGN_OR_RETURN(const double ratio, BestRatio(levels[i], levels[i + 1]));
    const size_t count_min = i == 0 ? kSamplesCountMin : 1;
    const double count = std::min(std::ceil(ratio), static_cast<double>(kLevelCountMax));
    counts.push_back(std::max(count_min, static_cast<size_t>(count)));
  }
  return counts;
}

double VarianceOfTopUnit(std::span<const LevelCost> levels, std::span<const size_t> counts) {
  double variance = 0;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (i > 0) variance /= static_cast<double>(counts[i - 1]);
    variance += levels[i].variance;
  }
  return variance;
}

double HalfWidth(double variance, size_t count) {
  const double units = static_cast<double>(count);
  return TQuantile(kQuantileOf95, units - 1) * std::sqrt(variance / units);
}

absl::StatusOr<size_t> CountForHalfWidth(double variance, double half_width) {
  RETURN_IF_ERROR(CheckWanted(variance, half_width));
  return SmallestCount([&](size_t count) { return HalfWidth(variance, count) <= half_width; });
}

absl::StatusOr<size_t> CountForEffect(double variance, double effect, double power) {
  RETURN_IF_ERROR(CheckWanted(variance, effect));
  RETURN_IF_ERROR(VisibleFactor(kTopCountMin, power).status());
  return SmallestCount([&](size_t count) {
    const auto factor = VisibleFactor(count, power);
    return factor.ok() && *factor * std::sqrt(variance) <= effect;
  });
}

}  // namespace tare::stats
