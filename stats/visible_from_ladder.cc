#include "stats/visible_from_ladder.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/smallest_visible.h"

namespace tare::stats {
namespace {

constexpr size_t kRungsMin = 3;
constexpr int kIterations = 5;

// variance = constant + growth · square, both at least 0.
struct Terms {
  double constant = 0;
  double growth = 0;
};

struct Point {
  double square = 0;  // of the delay
  double variance = 0;
  double weight = 1;
};

Terms FitTerms(const std::vector<Point>& points) {
  double w = 0, x = 0, xx = 0, y = 0, xy = 0;
  for (const Point& point : points) {
    w += point.weight;
    x += point.weight * point.square;
    xx += point.weight * point.square * point.square;
    y += point.weight * point.variance;
    xy += point.weight * point.square * point.variance;
  }
  const double determinant = w * xx - x * x;
  if (determinant > 0) {
    const Terms both{(y * xx - xy * x) / determinant, (xy * w - y * x) / determinant};
    if (both.constant >= 0 && both.growth >= 0) return both;
    if (both.constant < 0 && xx > 0) return {0, xy / xx};
  }
  return {y / w, 0};
}

absl::Status Check(std::span<const RungSpread> rungs) {
  if (rungs.size() < kRungsMin) {
    return absl::InvalidArgumentError(absl::StrCat("needs ", kRungsMin, " rungs at least"));
  }
  for (const RungSpread& rung : rungs) {
    if (!(std::isfinite(rung.delay) && std::isfinite(rung.sd) && rung.delay >= 0 && rung.sd >= 0)) {
      return absl::InvalidArgumentError("a delay or a spread is negative or not finite");
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<SpreadOfEffect> FitSpread(std::span<const RungSpread> rungs) {
  RETURN_IF_ERROR(Check(rungs));
  std::vector<Point> points;
  for (const RungSpread& rung : rungs) {
    points.push_back({rung.delay * rung.delay, rung.sd * rung.sd, 1});
  }
  Terms terms = FitTerms(points);
  for (int i = 0; i < kIterations; ++i) {
    for (Point& point : points) {
      const double fit = terms.constant + terms.growth * point.square;
      point.weight = fit > 0 ? 1 / (fit * fit) : 0;
    }
    const bool has_weight = std::any_of(points.begin(), points.end(),
                                        [](const Point& point) { return point.weight > 0; });
    if (!has_weight) break;
    terms = FitTerms(points);
  }
  return SpreadOfEffect{std::sqrt(terms.constant), std::sqrt(terms.growth)};
}

absl::StatusOr<double> VisibleFromLadder(std::span<const RungSpread> rungs, double power) {
  ASSIGN_OR_RETURN(const SpreadOfEffect spread, FitSpread(rungs));
  size_t units = rungs.front().count;
  for (const RungSpread& rung : rungs) units = std::min(units, rung.count);
  if (units < kSmallestVisibleUnitsMin) {
    return absl::FailedPreconditionError(absl::StrCat("needs at least ", kSmallestVisibleUnitsMin,
                                                      " processes a rung, has ", units));
  }
  if (spread.at_zero == 0) {
    return absl::FailedPreconditionError("the rungs have no spread that is there without a delay");
  }
  ASSIGN_OR_RETURN(const double factor, VisibleFactor(units, power));
  ASSIGN_OR_RETURN(const double uncertainty, SpreadFactor(units));
  const double share = factor * spread.growth;
  if (share >= 1) {
    return absl::FailedPreconditionError("the spread grows as fast as the delay");
  }
  return factor * uncertainty * spread.at_zero / std::sqrt(1 - share * share);
}

}  // namespace tare::stats
