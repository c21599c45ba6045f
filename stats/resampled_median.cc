#include "stats/resampled_median.h"

#include <boost/math/special_functions/beta.hpp>

#include "base/status.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

// That the resampled median is at most the k-th smallest of n values.
double ProbabilityUpTo(size_t k, size_t n) {
  if (k >= n) return 1;
  const auto rank = static_cast<double>(n / 2 + 1);
  const auto count = static_cast<double>(n);
  return boost::math::ibeta(rank, count - rank + 1, static_cast<double>(k) / count);
}

// The smallest value up to which the probability is at least `p`.
double QuantileOf(std::span<const double> sorted, double p) {
  size_t low = 1;
  size_t high = sorted.size();
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (ProbabilityUpTo(middle, sorted.size()) >= p) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return sorted[low - 1];
}

}  // namespace

absl::StatusOr<Interval> ResampledMedianInterval(std::span<const double> sorted,
                                                 double confidence) {
  RETURN_IF_ERROR(CheckValues(sorted, 1));
  if (!(confidence > 0 && confidence < 1)) {
    return absl::InvalidArgumentError("the confidence is not between 0 and 1");
  }
  const double tail = (1 - confidence) / 2;
  return Interval{sorted[sorted.size() / 2], QuantileOf(sorted, tail),
                  QuantileOf(sorted, 1 - tail)};
}

}  // namespace tare::stats
