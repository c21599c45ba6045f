// Variance components, counts, and means of units that belong to groups.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "stats/block_medians.h"
#include "stats/level_counts.h"
#include "stats/moments.h"
#include "stats/standard_error.h"
#include "stats/t_interval.h"
#include "stats/variance_components.h"

namespace tare::stats {
namespace {

using Groups = std::vector<std::vector<size_t>>;

std::vector<LevelVariance> ComponentsOf(const std::vector<double>& values, const Groups& groups) {
  return VarianceComponents({values, {}, groups}).value();
}

TEST(VarianceComponents, MatchThePublishedTwoLevels) {
  const std::vector<double> values = {9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4};
  const auto levels = ComponentsOf(values, {{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}});
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].units, 12u);
  EXPECT_EQ(levels[1].units, 3u);
  EXPECT_NEAR(levels[0].variance, 12.7222222222, 1e-9);
  // S₂² 3.5625 less S₁² / 4.
  EXPECT_NEAR(levels[1].variance, 3.5625 - 12.7222222222 / 4, 1e-9);
  EXPECT_DOUBLE_EQ(levels[0].weight, 1.0 / 12);
  EXPECT_DOUBLE_EQ(levels[1].weight, 1.0 / 3);
}

TEST(VarianceComponents, MatchThePublishedThreeLevels) {
  const Groups groups = {{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5},
                         {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}};
  const std::vector<double> values = {9, 5, 8, 3, 10, 6, 7, 11, 1, 12, 2, 4};
  const auto levels = ComponentsOf(values, groups);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_NEAR(levels[0].variance, 16.5, 1e-9);
  EXPECT_NEAR(levels[1].unclamped, -5.6666666667, 1e-9);
  EXPECT_TRUE(levels[1].is_clamped);
  EXPECT_EQ(levels[1].variance, 0);
  EXPECT_NEAR(levels[2].variance, 2.2708333333, 1e-9);
  EXPECT_FALSE(levels[2].is_clamped);
}

TEST(VarianceComponents, MatchThePublishedCostExample) {
  const Groups groups = {{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3},
                         {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1}};
  const std::vector<double> values = {3, 4, 3, 1.2, 3.1, 3, .2, 1, 1.5, 1, 2, 3};
  const auto levels = ComponentsOf(values, groups);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_NEAR(levels[0].variance, 0.7266667, 1e-7);
  EXPECT_NEAR(levels[1].variance, 0.2627778, 1e-7);
  EXPECT_NEAR(levels[2].variance, 0.7747222, 1e-7);
  const LevelCost sample = {levels[0].variance, 3};
  const LevelCost process = {levels[1].variance, 20};
  const LevelCost build = {levels[2].variance, 100};
  EXPECT_NEAR(BestRatio(sample, process).value(), 4.2937, 1e-4);
  EXPECT_NEAR(BestRatio(process, build).value(), 1.3023, 1e-4);
  const std::vector<LevelCost> costs = {sample, process, build};
  // The 5 samples of the publication are below what a median needs.
  EXPECT_EQ(LevelCounts(costs).value(), (std::vector<size_t>{30, 2}));
}

TEST(VarianceComponents, OfEstimatesTakeTheirErrorsOut) {
  const double gap = std::sqrt(130 / 2.0);  // two values with a variance of 130
  const std::vector<double> values = {100 - gap, 100 + gap};
  const std::vector<double> errors = {20, 34};  // 27 in the mean
  const auto levels = VarianceComponents({values, errors, {}}).value();
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_NEAR(levels[0].variance, 103, 1e-9);
}

TEST(VarianceComponents, OfEstimatesOnHostsMatchTheDocumentByHand) {
  // Host means 10, 20: S₂² 50. Within hosts S₁² = ((2 + 8) / 2) = 5.
  const std::vector<double> values = {9, 11, 18, 22};
  const std::vector<double> errors = {1, 3, 2, 2};
  const Groups groups = {{7, 7, 3, 3}};
  const auto levels = VarianceComponents({values, errors, groups}).value();
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_NEAR(levels[0].variance, 5 - 2, 1e-9);
  // The error and the processes are in a host's mean together.
  EXPECT_NEAR(levels[1].variance, 50 - 5.0 / 2, 1e-9);
}

// Unequal counts: unbiased over many draws.
TEST(VarianceComponents, AreUnbiasedWhenCountsDiffer) {
  Random random(11);
  const std::vector<size_t> hosts = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3};
  const std::vector<size_t> copies = {1, 2, 3, 4, 5, 1, 7, 2, 3, 3, 1, 4};
  double sums[3] = {};
  constexpr int kDraws = 4000;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> host_effects;
    for (int h = 0; h < 4; ++h) host_effects.push_back(5 * random.Normal());
    std::vector<double> values;
    Groups groups(2);
    for (size_t p = 0; p < hosts.size(); ++p) {
      const double process = host_effects[hosts[p]] + 3 * random.Normal();
      for (size_t k = 0; k < copies[p]; ++k) {
        values.push_back(process + 2 * random.Normal());
        groups[0].push_back(p);
        groups[1].push_back(hosts[p]);
      }
    }
    const auto levels = ComponentsOf(values, groups);
    for (size_t i = 0; i < 3; ++i) sums[i] += levels[i].unclamped / kDraws;
  }
  // Standard errors of the means: about 0.02, 0.15 and 0.45.
  EXPECT_NEAR(sums[0], 4, 0.1);
  EXPECT_NEAR(sums[1], 9, 0.7);
  EXPECT_NEAR(sums[2], 25, 2);
}

TEST(VarianceComponents, RefuseWhatCannotBeTold) {
  const std::vector<double> values = {1, 2, 3, 4};
  const auto code_of = [&](const std::vector<double>& errors, const Groups& groups) {
    return VarianceComponents({values, errors, groups}).status().code();
  };
  EXPECT_EQ(code_of({}, {{0, 1, 2, 3}}), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(code_of({}, {{0, 0, 0, 0}}), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(code_of({}, {{0, 0, 1}}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of({1, 1, 1}, {}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of({1, 1, 1, -1}, {}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code_of({}, {{0, 0, 1, 1}, {0, 1, 1, 1}}), absl::StatusCode::kInvalidArgument);
  const std::vector<double> one = {1};
  EXPECT_FALSE(VarianceComponents({one, {}, {}}).ok());
}

TEST(LevelCounts, MatchTheOracle) {
  const LevelCost pair = {90 * 90, 1.7};
  const LevelCost process = {10 * 10, 2000};
  const LevelCost build = {15 * 15, 60000};
  EXPECT_NEAR(BestRatio(pair, process).value(), 308.6975, 1e-4);
  EXPECT_NEAR(BestRatio(process, build).value(), 3.6515, 1e-4);
  const std::vector<LevelCost> levels = {pair, process, build};
  EXPECT_EQ(LevelCounts(levels).value(), (std::vector<size_t>{309, 4}));
  const std::vector<size_t> counts = {309, 4};
  EXPECT_NEAR(VarianceOfTopUnit(levels, counts), 225 + (100 + 8100 / 309.0) / 4, 1e-9);
}

TEST(LevelCounts, AreBounded) {
  const auto lowest = [](double sample_variance, double process_variance) {
    const std::vector<LevelCost> levels = {{sample_variance, 1}, {process_variance, 100}};
    return LevelCounts(levels).value().front();
  };
  EXPECT_EQ(lowest(1, 0), kLevelCountMax);  // processes do not differ
  EXPECT_EQ(lowest(1e9, 1), kLevelCountMax);
  EXPECT_EQ(lowest(1, 1e9), kSamplesCountMin);
  EXPECT_EQ(lowest(0, 0), kSamplesCountMin);
  const std::vector<LevelCost> one = {{1, 1}};
  EXPECT_FALSE(LevelCounts(one).ok());
  EXPECT_FALSE(BestRatio({-1, 1}, {1, 1}).ok());
  EXPECT_FALSE(BestRatio({1, 0}, {1, 1}).ok());
  EXPECT_FALSE(BestRatio({1, 1}, {std::numeric_limits<double>::quiet_NaN(), 1}).ok());
}

TEST(LevelCounts, OfTheTopLevelFollowTheWantedSize) {
  // Section 0: half width 0.72 sd with 10 units, 0.84 with 8; section 5: factors 0.996 and 1.067.
  EXPECT_EQ(CountForHalfWidth(64, 8 * 0.7154).value(), 10u);
  EXPECT_EQ(CountForHalfWidth(64, 8 * 0.7153).value(), 11u);
  EXPECT_EQ(CountForEffect(64, 7.9681, 0.8).value(), 10u);
  EXPECT_EQ(CountForEffect(64, 7.9679, 0.8).value(), 11u);
  EXPECT_EQ(CountForHalfWidth(0, 1).value(), kTopCountMin);
  EXPECT_EQ(CountForHalfWidth(1, 1e-9).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(CountForEffect(1, 1e-9, 0.8).status().code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(CountForHalfWidth(1, 0).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CountForEffect(1, 1, 1).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(BlockMedians, GiveTheErrorOfTheMedian) {
  Random random(5);
  constexpr int kDraws = 2000;
  double sum = 0;
  std::vector<double> medians;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<double> values;
    for (int i = 0; i < 300; ++i) values.push_back(random.Normal());
    sum += SquaredErrorOfMedian(values, {}, 0).value() / kDraws;
  }
  // π/2 / 300 for the median of normal values; medians of 30 do a little better.
  EXPECT_NEAR(sum, 1.5708 / 300, 0.08 * 1.5708 / 300);
}

TEST(BlockMedians, OfStrataLeaveTheirDistanceOut) {
  Random random(6);
  std::vector<double> values;
  std::vector<size_t> strata;
  for (int i = 0; i < 300; ++i) {
    strata.push_back(random.Normal() > 0 ? 1 : 0);
    values.push_back(random.Normal() + (strata.back() == 1 ? 1000 : 0));
  }
  EXPECT_LT(SquaredErrorOfMedian(values, strata, 0).value(), 0.02);
  EXPECT_GT(SquaredErrorOfMedian(values, {}, 0).value(), 1000);
  for (size_t i = 0; i < 60; ++i) strata[i] = 0;  // two blocks lack a stratum
  EXPECT_TRUE(SquaredErrorOfMedian(values, strata, 0).ok());
  for (size_t i = 0; i < 150; ++i) strata[i] = 0;
  EXPECT_EQ(SquaredErrorOfMedian(values, strata, 0).status().code(),
            absl::StatusCode::kFailedPrecondition);
  strata.pop_back();
  EXPECT_EQ(SquaredErrorOfMedian(values, strata, 0).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(SquaredErrorOfMedian(std::vector<double>(29, 1.0), {}, 0).ok());
}

TEST(StandardErrorWithin, IsThatOfTheDocumentByHand) {
  const std::vector<double> values = {9, 11, 18, 22, 30, 33};
  const std::vector<size_t> hosts = {0, 0, 1, 1, 2, 2};
  const StandardError se = StandardErrorWithin(values, hosts).value();
  EXPECT_DOUBLE_EQ(se.mean, 20.5);
  EXPECT_EQ(se.degrees, 3);
  EXPECT_NEAR(se.error, std::sqrt((2 + 8 + 4.5) / 3 / 6), 1e-12);
  EXPECT_EQ(GroupMeans(values, hosts), (std::vector<double>{10, 20, 31.5}));
  const std::vector<size_t> single = {0, 1, 2, 3, 4, 5};
  EXPECT_EQ(StandardErrorWithin(values, single).status().code(),
            absl::StatusCode::kFailedPrecondition);
  const std::vector<double> flat = {1, 1, 2, 2, 3, 3};
  EXPECT_FALSE(StandardErrorWithin(flat, hosts).ok());
}

}  // namespace
}  // namespace tare::stats
