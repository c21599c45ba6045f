// Slopes and inverse predictions against values computed with scipy 1.10, tolerance 1e-7 unless
// rounded.

#include "stats/line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "stats/fieller.h"
#include "stats/t_interval.h"

namespace tare::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

const Values kDelays = {0, 1, 2, 5, 10};
const Values kLatencies = {2.0, 5.1, 8.0, 17.2, 31.9};

const std::vector<Line> kReplicates = {
    {3.0, 2.0}, {3.02, 2.1}, {2.97, 1.9}, {3.01, 2.05}, {2.99, 1.95}};

TEST(Line, MatchesThePublishedWeightedMedianOfPairwiseSlopes) {
  const absl::StatusOr<Line> line = FitLine(kDelays, kLatencies);
  ASSERT_TRUE(line.ok()) << line.status();
  EXPECT_NEAR(line->slope, 2.99, 1e-12);
  EXPECT_NEAR(line->intercept, 2.02, 1e-12);  // of 2.00, 2.11, 2.02, 2.25, 2.00
}

TEST(Line, WeighsAPairByItsDistance) {
  // Slopes 1.25, 15/9, 2, 5, 5, 5 with weights 8, 9, 10, 1, 1, 2; the plain median is 3.5.
  EXPECT_DOUBLE_EQ(FitLine(Values{0, 1, 2, 10}, Values{0, 5, 10, 20})->slope, 15.0 / 9);
}

TEST(Line, TakesTheMeanWithTheNextSlopeWhereWeightsReachExactlyHalf) {
  // Slopes 0, 0, 2 and 2 of equal weight; pairs of equal x have none.
  EXPECT_EQ(FitLine(Values{0, 0, 1, 1}, Values{0, 2, 2, 2})->slope, 1);
}

TEST(Line, OfTwoPointsGoesThroughBoth) {
  const Line line = FitLine(Values{1, 3}, Values{10, 14}).value();
  EXPECT_DOUBLE_EQ(line.slope, 2);
  EXPECT_DOUBLE_EQ(line.intercept, 8);
}

TEST(Line, IgnoresTheOrderOfPointsAndFollowsScaleAndShift) {
  const Line line = FitLine(kDelays, kLatencies).value();
  Values x(kDelays.rbegin(), kDelays.rend());
  Values y(kLatencies.rbegin(), kLatencies.rend());
  EXPECT_NEAR(FitLine(x, y)->slope, line.slope, 1e-12);
  for (double& value : x) value = 1'000 * value + 7;
  for (double& value : y) value = 1'000 * value - 3;
  EXPECT_NEAR(FitLine(x, y)->slope, line.slope, 1e-12);
  EXPECT_NEAR(FitLine(x, y)->intercept, 1'000 * line.intercept - 3 - 7 * line.slope, 1e-8);
}

TEST(Line, IsNotMovedByOneFarPoint) {
  const Line line =
      FitLine(Values{0, 250, 500, 1'000, 2'000}, Values{6, 756, 9'000, 3'006, 6'006}).value();
  EXPECT_NEAR(line.slope, 3, 1e-12);
  EXPECT_NEAR(line.intercept, 6, 1e-12);
}

TEST(Line, NeedsTwoDifferentXAndFiniteNumbers) {
  const absl::StatusCode kFew = absl::StatusCode::kFailedPrecondition;
  const absl::StatusCode kWrong = absl::StatusCode::kInvalidArgument;
  EXPECT_EQ(FitLine(Values{}, Values{}).status().code(), kFew);
  EXPECT_EQ(FitLine(Values{1}, Values{1}).status().code(), kFew);
  EXPECT_EQ(FitLine(Values{2, 2, 2}, Values{1, 2, 3}).status().code(), kFew);
  EXPECT_EQ(FitLine(Values{1, 2}, Values{1}).status().code(), kWrong);
  EXPECT_EQ(FitLine(Values{1, kNan}, Values{1, 2}).status().code(), kWrong);
  EXPECT_EQ(FitLine(Values{1, 2}, Values{1, kNan}).status().code(), kWrong);
  const Values many(kLinePointsMax + 1, 1.0);
  EXPECT_EQ(FitLine(many, many).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(InversePrediction, MatchesThePublishedFiellerInterval) {
  const absl::StatusOr<Interval> distance = InversePrediction(kReplicates, 20, 0.95);
  ASSERT_TRUE(distance.ok()) << distance.status();
  EXPECT_NEAR(distance->value, 6.0040026684, 1e-9);
  EXPECT_NEAR(distance->low, 5.9243268043, 1e-9);
  EXPECT_NEAR(distance->high, 6.0849553191, 1e-9);
}

TEST(InversePrediction, HasTheSlopesOfThePublishedInterval) {
  Values slopes;
  for (const Line& line : kReplicates) slopes.push_back(line.slope);
  const Interval slope = TInterval(slopes, 0.95).value();
  EXPECT_NEAR(slope.low, 2.9741161161, 1e-9);
  EXPECT_NEAR(slope.high, 3.0218838839, 1e-9);
}

TEST(InversePrediction, HoldsExactlyTheXThatATTestDoesNotExclude) {
  const Interval distance = InversePrediction(kReplicates, 20, 0.95).value();
  for (const double edge : {distance.low, distance.high}) {
    Values misses;
    for (const Line& line : kReplicates) misses.push_back(20 - line.intercept - line.slope * edge);
    EXPECT_NEAR(TTestP(misses).value(), 0.05, 1e-7);
  }
}

TEST(InversePrediction, IsTheMirrorImageForFallingLines) {
  const Interval rising = InversePrediction(kReplicates, 20, 0.95).value();
  std::vector<Line> falling = kReplicates;
  for (Line& line : falling) line.slope = -line.slope;
  const Interval mirrored = InversePrediction(falling, 20, 0.95).value();
  EXPECT_NEAR(mirrored.value, -rising.value, 1e-12);
  EXPECT_NEAR(mirrored.low, -rising.high, 1e-12);
  EXPECT_NEAR(mirrored.high, -rising.low, 1e-12);
}

TEST(InversePrediction, RefusesASlopeThatMayBeZero) {
  const std::vector<Line> level = {{0.1, 2}, {-0.1, 2.1}, {0.05, 1.9}};
  EXPECT_EQ(InversePrediction(level, 20, 0.95).status().code(),
            absl::StatusCode::kFailedPrecondition);
  // The same lines with less confidence asked of a slope that is only nearly zero.
  const std::vector<Line> nearly = {{0.3, 2}, {0.1, 2.1}, {0.2, 1.9}};
  EXPECT_EQ(InversePrediction(nearly, 20, 0.99).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(InversePrediction(nearly, 20, 0.80).ok());
}

TEST(InversePrediction, NeedsTwoReplicatesThatDiffer) {
  const absl::StatusCode kFew = absl::StatusCode::kFailedPrecondition;
  EXPECT_EQ(InversePrediction({}, 20, 0.95).status().code(), kFew);
  EXPECT_EQ(InversePrediction(std::vector<Line>{{3, 2}}, 20, 0.95).status().code(), kFew);
  EXPECT_EQ(InversePrediction(std::vector<Line>{{3, 2}, {3, 2}}, 20, 0.95).status().code(), kFew);
  EXPECT_EQ(InversePrediction(kReplicates, kNan, 0.95).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(InversePrediction(kReplicates, 20, 1).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tare::stats
