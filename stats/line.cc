#include "stats/line.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/quantile.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

struct WeightedSlope {
  double slope = 0;
  double weight = 0;
};

// Requires: not all x are equal.
std::vector<WeightedSlope> PairwiseSlopes(std::span<const double> x, std::span<const double> y) {
  std::vector<WeightedSlope> slopes;
  slopes.reserve(x.size() * (x.size() - 1) / 2);
  for (size_t i = 0; i < x.size(); ++i) {
    for (size_t j = i + 1; j < x.size(); ++j) {
      const double distance = x[j] - x[i];
      if (distance != 0) slopes.push_back({(y[j] - y[i]) / distance, std::abs(distance)});
    }
  }
  std::sort(slopes.begin(), slopes.end(),
            [](const WeightedSlope& a, const WeightedSlope& b) { return a.slope < b.slope; });
  return slopes;
}

// Requires: `slopes` sorted and not empty.
double WeightedMedian(const std::vector<WeightedSlope>& slopes) {
  double total = 0;
  for (const WeightedSlope& slope : slopes) total += slope.weight;
  double reached = 0;
  for (size_t i = 0; i + 1 < slopes.size(); ++i) {
    reached += slopes[i].weight;
    if (2 * reached == total) return (slopes[i].slope + slopes[i + 1].slope) / 2;
    if (2 * reached > total) return slopes[i].slope;
  }
  return slopes.back().slope;
}

}  // namespace

absl::StatusOr<Line> FitLine(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(x.size(), " values of x but ", y.size(), " of y"));
  }
  if (x.size() > kLinePointsMax) {
    return MakeError(
        absl::StatusCode::kResourceExhausted,
        absl::StrCat(x.size(), " points are more than the ", kLinePointsMax, " of a line"));
  }
  RETURN_IF_ERROR(CheckVaries(x, 2));
  RETURN_IF_ERROR(CheckValues(y, 2));
  Line line;
  line.slope = WeightedMedian(PairwiseSlopes(x, y));
  std::vector<double> rests;
  for (size_t i = 0; i < x.size(); ++i) rests.push_back(y[i] - line.slope * x[i]);
  ASSIGN_OR_RETURN(line.intercept, Median(rests));
  return line;
}

absl::StatusOr<double> SlopeThroughOrigin(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) return absl::InvalidArgumentError("x and y differ in length");
  RETURN_IF_ERROR(CheckValues(x, 1));
  RETURN_IF_ERROR(CheckValues(y, 1));
  double products = 0;
  double squares = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    products += x[i] * y[i];
    squares += x[i] * x[i];
  }
  if (squares == 0) return absl::FailedPreconditionError("every x is 0");
  return products / squares;
}

}  // namespace tare::stats
