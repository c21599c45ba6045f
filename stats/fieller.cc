#include "stats/fieller.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/moments.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

// Requires: the moments are those of `a` and `b`, which have the same length.
double Covariance(const std::vector<double>& a, const Moments& of_a, const std::vector<double>& b,
                  const Moments& of_b) {
  double products = 0;
  for (size_t i = 0; i < a.size(); ++i) products += (a[i] - of_a.mean) * (b[i] - of_b.mean);
  return products / static_cast<double>(a.size() - 1);
}

}  // namespace

absl::StatusOr<Interval> InversePrediction(std::span<const Line> replicates, double y,
                                           double confidence) {
  if (!(confidence > 0 && confidence < 1)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("confidence ", confidence, " is not between 0 and 1"));
  }
  std::vector<double> slopes;
  std::vector<double> rises;  // what the slope has to make up for
  for (const Line& line : replicates) {
    slopes.push_back(line.slope);
    rises.push_back(y - line.intercept);
  }
  RETURN_IF_ERROR(CheckValues(rises, 2));
  ASSIGN_OR_RETURN(const Moments slope, MomentsOf(slopes));
  ASSIGN_OR_RETURN(const Moments rise, MomentsOf(rises));
  if (slope.sd == 0 && rise.sd == 0) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("all ", replicates.size(), " lines are equal"));
  }
  const double count = static_cast<double>(replicates.size());
  const double t = TQuantile(1 - (1 - confidence) / 2, count - 1);
  const double k = t * t / count;
  // The x with (mean of rise - x slope)² at most k times its variance are those between the roots
  // of a x² + b x + c.
  const double a = slope.mean * slope.mean - k * slope.sd * slope.sd;
  const double b = -2 * (rise.mean * slope.mean - k * Covariance(rises, rise, slopes, slope));
  const double c = rise.mean * rise.mean - k * rise.sd * rise.sd;
  if (a <= 0) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     "the slope cannot be told from zero, so every x would do");
  }
  // With a > 0 the point estimate is between the roots: below zero is rounding.
  const double root = std::sqrt(std::max(0.0, b * b - 4 * a * c));
  return Interval{rise.mean / slope.mean, (-b - root) / (2 * a), (-b + root) / (2 * a)};
}

}  // namespace tare::stats
