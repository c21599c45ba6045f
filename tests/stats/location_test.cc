// Medians, quantiles, moments, robust spread: published values, invariances, degenerate input.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "stats/explained_share.h"
#include "stats/grouped_median.h"
#include "stats/log_ratio.h"
#include "stats/moments.h"
#include "stats/quantile.h"
#include "stats/robust_sd.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

using ::testing::ElementsAre;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double GroupedMedianOf(const std::vector<double>& values, double tick) {
  const absl::StatusOr<double> median = GroupedMedian(values, tick);
  EXPECT_TRUE(median.ok()) << median.status();
  return median.value_or(kNan);
}

std::vector<double> NormalValues(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random.Normal();
  return values;
}

TEST(Values, NamesTheValueThatIsNotFinite) {
  const std::vector<double> values = {1, 2, kNan};
  const absl::Status status = CheckValues(values, 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "value 2 is not a finite number");
  EXPECT_EQ(CheckValues(std::vector<double>{kInfinity}, 1).code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(Values, AsksForEnoughAndForSpread) {
  EXPECT_EQ(CheckValues({}, 1).message(), "too few values: 0 of at least 1");
  EXPECT_EQ(CheckVaries(std::vector<double>{2, 2, 2}, 2).message(), "all 3 values are equal");
  EXPECT_EQ(CheckVaries({}, 0).code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(CheckVaries(std::vector<double>{2, 3}, 2).ok());
}

TEST(Moments, MatchThePublishedOnes) {
  const absl::StatusOr<Moments> moments = MomentsOf(std::vector<double>{21, 25, 18, 30, 27, 24});
  ASSERT_TRUE(moments.ok());
  EXPECT_EQ(moments->count, 6u);
  EXPECT_NEAR(moments->mean, 24.1666666667, 1e-9);
  EXPECT_NEAR(moments->sd, 4.2622372842, 1e-9);
  EXPECT_FALSE(Mean({}).ok());
  EXPECT_FALSE(MomentsOf(std::vector<double>{1}).ok());
  EXPECT_FALSE(MomentsOf(std::vector<double>{1, kNan}).ok());
}

TEST(Quantile, IsAlwaysOneOfTheValues) {
  const std::vector<double> values = {5, 1, 4, 2, 3};
  EXPECT_EQ(Quantile(values, 0).value(), 1);
  EXPECT_EQ(Quantile(values, 0.5).value(), 3);
  EXPECT_EQ(Quantile(values, 0.8).value(), 5);
  EXPECT_EQ(Quantile(values, 1).value(), 5);
}

TEST(Quantile, RefusesNothingNanAndQuantilesOutsideTheUnit) {
  EXPECT_FALSE(Quantile({}, 0.5).ok());
  EXPECT_FALSE(Quantile(std::vector<double>{1, kNan}, 0.5).ok());
  EXPECT_FALSE(Quantile(std::vector<double>{1, 2}, -0.1).ok());
  EXPECT_FALSE(Quantile(std::vector<double>{1, 2}, kNan).ok());
}

TEST(Median, TakesTheMiddleOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(Median(std::vector<double>{9, 1, 5}).value(), 5);
  EXPECT_EQ(Median(std::vector<double>{9, 1, 5, 7}).value(), 6);
  EXPECT_EQ(Median(std::vector<double>{4}).value(), 4);
  EXPECT_FALSE(Median({}).ok());
}

TEST(GroupedMedian, MatchesThePublishedValues) {
  EXPECT_NEAR(GroupedMedianOf({0, 0, 10, 10, 10, 20}, 10), 8.333333333333334, 1e-12);
  EXPECT_EQ(GroupedMedianOf({0, 0, 10, 10}, 10), 5);
  EXPECT_EQ(GroupedMedianOf({10, 10, 10, 10, 10}, 10), 10);
}

TEST(GroupedMedian, IsTheOrdinaryMedianOfDistinctValues) {
  for (size_t count : {1u, 2u, 7u, 100u, 101u}) {
    const std::vector<double> values = NormalValues(count, count);
    const double median = Median(values).value();
    EXPECT_DOUBLE_EQ(GroupedMedianOf(values, 0.01), median);
    EXPECT_DOUBLE_EQ(GroupedMedianOf(values, 0), median);
  }
}

TEST(GroupedMedian, MovesAndScalesWithTheValues) {
  const std::vector<double> values = {0, 0, 10, 10, 10, 20, 30};
  std::vector<double> moved;
  for (double value : values) moved.push_back(3 * value + 7);
  EXPECT_NEAR(GroupedMedianOf(moved, 30), 3 * GroupedMedianOf(values, 10) + 7, 1e-9);
}

TEST(GroupedMedian, SeesAShiftSmallerThanTheTick) {
  Random random(7);
  std::vector<double> plain;
  std::vector<double> shifted;
  for (int i = 0; i < 20000; ++i) {
    plain.push_back(10 * std::round(2 * random.Normal()));
    shifted.push_back(10 * std::round(2 * random.Normal() + 0.3));
  }
  EXPECT_EQ(Median(shifted).value() - Median(plain).value(), 0);
  EXPECT_NEAR(GroupedMedianOf(shifted, 10) - GroupedMedianOf(plain, 10), 3, 1);
}

TEST(GroupedMedian, RefusesNothingNanAndImpossibleTicks) {
  EXPECT_FALSE(GroupedMedian({}, 1).ok());
  EXPECT_FALSE(GroupedMedian(std::vector<double>{kNan}, 1).ok());
  EXPECT_FALSE(GroupedMedian(std::vector<double>{1}, -1).ok());
  EXPECT_FALSE(GroupedMedian(std::vector<double>{1}, kInfinity).ok());
}

TEST(RobustSd, IsTheMedianAbsoluteDeviationScaledToNormal) {
  EXPECT_DOUBLE_EQ(RobustSd(std::vector<double>{1, 2, 3, 4, 100}).value(), 1.4826);
  EXPECT_EQ(RobustSd(std::vector<double>{5, 5, 5, 9}).value(), 0);
  EXPECT_NEAR(RobustSd(NormalValues(20000, 3)).value(), 1, 0.03);
  EXPECT_FALSE(RobustSd(std::vector<double>{1}).ok());
}

TEST(OddValues, NamesAFarValueAndOnlyIt) {
  EXPECT_THAT(OddValues(std::vector<double>{1, 2, 3, 4, 5, 60}, 5).value(), ElementsAre(5));
  EXPECT_THAT(OddValues(std::vector<double>{1, 2, 3, 4, 5, 6}, 5).value(), ElementsAre());
}

TEST(OddValues, SaysNothingWhereTheOthersDoNotVary) {
  EXPECT_THAT(OddValues(std::vector<double>{1, 1, 1, 1, 1, 60}, 5).value(), ElementsAre());
  EXPECT_FALSE(OddValues(std::vector<double>{1, 2, 3, 4}, 5).ok());
  EXPECT_EQ(OddValues(std::vector<double>(kOddValuesMax + 1, 1.0), 5).status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(ExplainedShare, IsOneForGroupsThatSeparateAndZeroForNoise) {
  const std::vector<double> values = {10, 10, 10, 20, 20, 20};
  EXPECT_DOUBLE_EQ(ExplainedShare(values, std::vector<size_t>{0, 0, 0, 1, 1, 1}).value(), 1);
  EXPECT_EQ(ExplainedShare(values, std::vector<size_t>{0, 1, 0, 0, 1, 0}).value(), 0);
}

TEST(ExplainedShare, MatchesAnAnalysisOfVarianceByHand) {
  // Within: 2 + 2 over 4 degrees; total: 17.5 over 5.
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  EXPECT_NEAR(ExplainedShare(values, std::vector<size_t>{0, 0, 0, 1, 1, 1}).value(),
              1 - (4.0 / 4) / (17.5 / 5), 1e-12);
}

TEST(ExplainedShare, RefusesOneGroupAndGroupsOfOne) {
  const std::vector<double> values = {1, 2, 3};
  EXPECT_FALSE(ExplainedShare(values, std::vector<size_t>{0, 0, 0}).ok());
  EXPECT_FALSE(ExplainedShare(values, std::vector<size_t>{0, 1, 2}).ok());
  EXPECT_FALSE(ExplainedShare(values, std::vector<size_t>{0, 1}).ok());
  EXPECT_FALSE(ExplainedShare(std::vector<double>{1, 1, 1}, std::vector<size_t>{0, 0, 1}).ok());
}

TEST(LogRatio, IsTheLogarithmOfCandidateOverBaseline) {
  EXPECT_NEAR(LogRatio(100, 105).value(), 0.0487901642, 1e-10);
  EXPECT_EQ(LogRatio(0, 105).status().message(), "no ratio of 105 to 0: both must be above zero");
  EXPECT_FALSE(LogRatio(1, -1).ok());
  EXPECT_FALSE(LogRatio(kNan, 1).ok());
}

TEST(Lag1Autocorrelation, IsNegativeForAlternationAndPositiveForADrift) {
  EXPECT_NEAR(Lag1Autocorrelation(std::vector<double>{1, -1, 1, -1}).value(), -0.75, 1e-12);
  EXPECT_NEAR(Lag1Autocorrelation(std::vector<double>{1, 2, 3, 4, 5}).value(), 0.4, 1e-12);
  EXPECT_FALSE(Lag1Autocorrelation(std::vector<double>{1, 1, 1}).ok());
  EXPECT_FALSE(Lag1Autocorrelation(std::vector<double>{1, 2}).ok());
}

}  // namespace
}  // namespace tare::stats
