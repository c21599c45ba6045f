#include "stats/grouped_median.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<double> GroupedMedian(std::span<const double> values, double tick) {
  RETURN_IF_ERROR(CheckValues(values, 1));
  if (!std::isfinite(tick) || tick < 0) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("tick ", tick, " is not a positive number or zero"));
  }
  std::vector<double> copy(values.begin(), values.end());
  // Only the group of equal values that holds the middle matters; partitioning finds it faster
  // than sorting, and there may be millions of samples.
  const auto middle = copy.begin() + static_cast<std::ptrdiff_t>((copy.size() - 1) / 2);
  std::nth_element(copy.begin(), middle, copy.end());
  const double value = *middle;
  size_t before = 0;
  size_t count = 0;
  double next = 0;
  bool has_next = false;
  for (double other : copy) {
    if (other < value) {
      ++before;
    } else if (other == value) {
      ++count;
    } else if (!has_next || other < next) {
      next = other;
      has_next = true;
    }
  }
  if (has_next && 2 * (before + count) == copy.size()) return (value + next) / 2;
  const double half = static_cast<double>(copy.size()) / 2;
  return value - tick / 2 +
         tick * (half - static_cast<double>(before)) / static_cast<double>(count);
}

}  // namespace tare::stats
