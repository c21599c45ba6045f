// What a sensitivity study rests on, against the values of section 12 of the specification and
// against slow, obvious versions of the same.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "gtest/gtest.h"
#include "stats/block_interval.h"
#include "stats/correlation.h"
#include "stats/line.h"
#include "stats/resampled_median.h"
#include "stats/share.h"
#include "stats/visible_from_ladder.h"

namespace tare::stats {
namespace {

TEST(ShareLowerLimit, IsTheRootOfTheLevelWhenAllOfThemDid) {
  EXPECT_NEAR(*ShareLowerLimit(10, 10, 0.95), 0.7411344491, 1e-9);
  EXPECT_NEAR(*ShareLowerLimit(14, 14, 0.95), 0.8074, 1e-4);
  EXPECT_NEAR(*ShareLowerLimit(59, 59, 0.95), 0.9505, 1e-4);
  EXPECT_EQ(*ShareLowerLimit(0, 10, 0.95), 0);
}

// The bound p for which k or more of n have the probability of the level.
TEST(ShareLowerLimit, HasItsLevel) {
  const double p = *ShareLowerLimit(7, 10, 0.95);
  double at_least = 0;
  for (int k = 7; k <= 10; ++k) {
    at_least += std::tgamma(11) / (std::tgamma(k + 1) * std::tgamma(11 - k)) * std::pow(p, k) *
                std::pow(1 - p, 10 - k);
  }
  EXPECT_NEAR(at_least, 0.05, 1e-9);
}

TEST(ShareLowerLimit, RefusesWhatIsNoShare) {
  EXPECT_FALSE(ShareLowerLimit(0, 0, 0.95).ok());
  EXPECT_FALSE(ShareLowerLimit(3, 2, 0.95).ok());
  EXPECT_FALSE(ShareLowerLimit(1, 2, 1).ok());
}

TEST(WilsonInterval, IsTheOneOfTheTextbook) {
  const Interval none = *WilsonInterval(0, 20, 0.95);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.1611, 1e-4);
  const Interval some = *WilsonInterval(10, 200, 0.95);
  EXPECT_NEAR(some.value, 0.05, 1e-12);
  EXPECT_NEAR(some.low, 0.0274, 1e-4);
  EXPECT_NEAR(some.high, 0.0896, 1e-4);
  EXPECT_EQ(WilsonInterval(20, 20, 0.95)->high, 1);
}

TEST(Correlation, IsOneForALineAndNothingForAConstant) {
  const std::vector<double> x = {1, 2, 4, 8};
  EXPECT_NEAR(*Correlation(x, std::vector<double>{3, 5, 9, 17}), 1, 1e-12);
  EXPECT_NEAR(*Correlation(x, std::vector<double>{-1, -2, -4, -8}), -1, 1e-12);
  EXPECT_NEAR(*Correlation(x, std::vector<double>{1, 3, 2, 5}), 0.866922, 1e-6);
  EXPECT_FALSE(Correlation(x, std::vector<double>{1, 1, 1, 1}).ok());
  EXPECT_FALSE(Correlation(x, std::vector<double>{1, 2, 3}).ok());
}

TEST(SlopeThroughOrigin, IsThatOfLeastSquares) {
  EXPECT_NEAR(*SlopeThroughOrigin(std::vector<double>{0, 1, 2}, std::vector<double>{5, 2, 3}), 1.6,
              1e-12);
  EXPECT_FALSE(SlopeThroughOrigin(std::vector<double>{0, 0}, std::vector<double>{1, 2}).ok());
  EXPECT_FALSE(SlopeThroughOrigin(std::vector<double>{1}, std::vector<double>{1, 2}).ok());
}

TEST(BlockInterval, IsTheTIntervalOfBlockMedians) {
  // Blocks of 1 2 9, 3 4 4, 6 5 5: medians 2, 4, 5.
  const std::vector<double> values = {1, 2, 9, 3, 4, 4, 6, 5, 5};
  const Interval interval = *BlockInterval(values, 3, 0.95);
  const Interval expected = *TInterval(std::vector<double>{2, 4, 5}, 0.95);
  EXPECT_EQ(interval.low, expected.low);
  EXPECT_EQ(interval.high, expected.high);
  EXPECT_FALSE(BlockInterval(values, 1, 0.95).ok());
  EXPECT_FALSE(BlockInterval(values, 10, 0.95).ok());
}

TEST(BlockInterval, UsesEveryValueOfAnUnevenSeries) {
  std::vector<double> values(103);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  values.back() = 1e9;  // moves no median, but must be in a block
  EXPECT_TRUE(BlockInterval(values, 10, 0.95).ok());
  values.back() = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(BlockInterval(values, 10, 0.95).ok());
}

// By resampling, with the same convention for the median.
Interval Resampled(const std::vector<double>& values, int resamples, Random* random) {
  std::vector<double> medians;
  std::vector<double> drawn(values.size());
  for (int i = 0; i < resamples; ++i) {
    for (double& value : drawn) value = values[random->Below(values.size())];
    std::sort(drawn.begin(), drawn.end());
    medians.push_back(drawn[drawn.size() / 2]);
  }
  std::sort(medians.begin(), medians.end());
  const auto at = [&medians](double p) {
    return medians[static_cast<size_t>(std::ceil(p * static_cast<double>(medians.size()))) - 1];
  };
  return {0, at(0.025), at(0.975)};
}

TEST(ResampledMedian, IsWhatResamplingConvergesTo) {
  Random random(7);
  for (const size_t count : {5, 8, 40, 301}) {
    std::vector<double> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = static_cast<double>(i);  // ranks
    const Interval exact = *ResampledMedianInterval(values, 0.95);
    const Interval resampled = Resampled(values, 20'000, &random);
    EXPECT_NEAR(exact.low, resampled.low, 1) << count;
    EXPECT_NEAR(exact.high, resampled.high, 1) << count;
    EXPECT_EQ(exact.value, static_cast<double>(count / 2));
  }
}

TEST(ResampledMedian, KnowsItsProbabilitiesExactly) {
  // Three values: the median is the smallest with (1/3)^3 + 3 (1/3)^2 (2/3) = 7/27.
  const std::vector<double> values = {1, 2, 3};
  EXPECT_EQ(ResampledMedianInterval(values, 1 - 2 * 0.259)->low, 1);
  EXPECT_EQ(ResampledMedianInterval(values, 1 - 2 * 0.260)->low, 2);
  EXPECT_EQ(ResampledMedianInterval(std::vector<double>{4}, 0.95)->high, 4);
  EXPECT_FALSE(ResampledMedianInterval({}, 0.95).ok());
}

std::vector<RungSpread> Rungs(double at_zero, double growth, size_t count = 10) {
  std::vector<RungSpread> rungs;
  for (const double delay : {0.0, 10.0, 25.0, 50.0, 100.0}) {
    rungs.push_back({delay, std::hypot(at_zero, growth * delay), count});
  }
  return rungs;
}

TEST(VisibleFromLadder, FindsTheSpreadThatTheRungsHave) {
  for (const double growth : {0.0, 0.1, 0.3}) {
    const SpreadOfEffect spread = *FitSpread(Rungs(8, growth));
    EXPECT_NEAR(spread.at_zero, 8, 1e-6) << growth;
    EXPECT_NEAR(spread.growth, growth, 1e-6);
  }
}

TEST(VisibleFromLadder, IsTheOneOfTheSpecification) {
  constexpr double kUncertainty = 1.293385;  // of ten units
  EXPECT_NEAR(*VisibleFromLadder(Rungs(8, 0.3), 0.8), kUncertainty * 8.349459, 1e-4);
  EXPECT_NEAR(*VisibleFromLadder(Rungs(8, 0), 0.8), kUncertainty * 7.968018, 1e-4);
  EXPECT_NEAR(*VisibleFromLadder(Rungs(8, 0), 0.95), kUncertainty * 10.287522, 1e-4);
}

TEST(VisibleFromLadder, HasNoneWhereTheSpreadOutgrowsTheDelay) {
  EXPECT_TRUE(absl::IsFailedPrecondition(VisibleFromLadder(Rungs(8, 1.1), 0.8).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(VisibleFromLadder(Rungs(8, 0.1, 7), 0.8).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(VisibleFromLadder(Rungs(0, 0.1), 0.8).status()));
}

TEST(VisibleFromLadder, NeverFitsANegativeVariance) {
  // Falling spreads: growth is 0, and the level their weighted mean.
  const std::vector<RungSpread> falling = {{0, 10, 10}, {50, 8, 10}, {100, 6, 10}};
  const SpreadOfEffect spread = *FitSpread(falling);
  EXPECT_EQ(spread.growth, 0);
  EXPECT_GT(spread.at_zero, 6);
  EXPECT_LT(spread.at_zero, 10);
  EXPECT_FALSE(FitSpread(std::vector<RungSpread>{{0, 1, 9}, {1, 1, 9}}).ok());
  EXPECT_FALSE(FitSpread(std::vector<RungSpread>{{0, 1, 9}, {1, -1, 9}, {2, 1, 9}}).ok());
}

}  // namespace
}  // namespace tare::stats
