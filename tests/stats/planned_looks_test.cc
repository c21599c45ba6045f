// Bounds of group-sequential tests against published values and those of the specification.

#include "stats/planned_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <vector>

#include "stats/t_interval.h"

namespace tare::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(PlannedLooks, AreFiveFromSixteenRoundsOnAndThreeBelow) {
  struct Case {
    size_t rounds_max;
    std::vector<size_t> looks;
  };
  const Case kCases[] = {{8, {4, 6, 8}},           {9, {4, 7, 9}},
                         {10, {4, 7, 10}},         {12, {4, 8, 12}},
                         {13, {4, 9, 13}},         {15, {5, 10, 15}},
                         {16, {4, 7, 10, 13, 16}}, {20, {4, 8, 12, 16, 20}},
                         {22, {5, 9, 14, 18, 22}}, {10'000, {2'000, 4'000, 6'000, 8'000, 10'000}}};
  for (const Case& c : kCases) {
    EXPECT_THAT(PlanLooks(c.rounds_max, DefaultLooks(c.rounds_max)).value(),
                ElementsAreArray(c.looks));
  }
}

TEST(PlannedLooks, CanBeFewerOrMoreThanTheDefault) {
  EXPECT_THAT(PlanLooks(8, 2).value(), ElementsAre(4, 8));
  EXPECT_THAT(PlanLooks(8, 5).value(), ElementsAre(4, 5, 6, 7, 8));
  EXPECT_THAT(PlanLooks(20, 4).value(), ElementsAre(5, 10, 15, 20));
}

TEST(PlannedLooks, AlwaysAscendFromFourRoundsToTheLast) {
  for (size_t rounds_max = kLookRoundsMin; rounds_max <= 200; ++rounds_max) {
    for (size_t count = 2; count <= kLooksMax; ++count) {
      const std::vector<size_t> looks = PlanLooks(rounds_max, count).value();
      ASSERT_EQ(looks.size(), count);
      EXPECT_GE(looks.front(), kFirstLookMin);
      EXPECT_EQ(looks.back(), rounds_max);
      for (size_t i = 1; i < count; ++i) EXPECT_LT(looks[i - 1], looks[i]);
    }
  }
}

TEST(PlannedLooks, NeedEightRounds) {
  const absl::Status status = PlanLooks(7, 3).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "too few rounds for planned looks: 7 of at least 8");
  EXPECT_FALSE(PlanLooks(20, 1).ok());
  EXPECT_FALSE(PlanLooks(20, 6).ok());
}

TEST(PlannedLooks, BoundsMatchTheSpecification) {
  struct Case {
    std::vector<size_t> looks;
    double alpha;
    std::vector<double> bounds;
  };
  const Case kCases[] = {
      {{1, 2, 3, 4, 5}, 0.01, {2.7529, 2.7605, 2.7561, 2.7513, 2.7473}},
      {{1, 2, 3, 4, 5}, 0.05, {2.1762, 2.1438, 2.1133, 2.0896, 2.0710}},
      {{1, 2, 3, 4, 5}, 0.025, {2.4380, 2.4268, 2.4102, 2.3967, 2.3860}},
      {{1, 2, 3, 4}, 0.01, {2.6899, 2.7086, 2.7114, 2.7119}},
      {{1, 2, 3, 4}, 0.05, {2.0999, 2.0767, 2.0532, 2.0348}},
      {{1, 2, 3}, 0.01, {2.6099, 2.6455, 2.6586}},
      {{1, 2, 3}, 0.05, {2.0020, 1.9938, 1.9803}},
      {{4, 6, 8}, 0.01, {2.5005, 2.6707, 2.6924}},
      {{4, 6, 8}, 0.05, {1.8662, 2.0037, 2.0087}},
      {{4, 7, 10}, 0.01, {2.5601, 2.6587, 2.6734}},
      {{4, 7, 10}, 0.05, {1.9405, 2.0008, 1.9932}},
  };
  for (const Case& c : kCases) {
    const std::vector<LookBound> bounds = PocockBounds(c.looks, c.alpha).value();
    ASSERT_EQ(bounds.size(), c.bounds.size());
    for (size_t i = 0; i < bounds.size(); ++i) {
      EXPECT_NEAR(bounds[i].z, c.bounds[i], 1e-4) << c.alpha << " look " << i + 1;
      EXPECT_EQ(bounds[i].rounds, c.looks[i]);
    }
  }
}

TEST(PlannedLooks, FirstLookIsExact) {
  EXPECT_NEAR(PocockBounds(std::vector<size_t>{4, 8, 12, 16, 20}, 0.01)->front().z, 2.752850, 1e-6);
  EXPECT_NEAR(PocockBounds(std::vector<size_t>{4, 8, 12, 16, 20}, 0.05)->front().z, 2.176211, 1e-6);
}

TEST(PlannedLooks, LevelsGiveTheCriticalValuesOfStudentsT) {
  const std::vector<size_t> looks = {4, 8, 12, 16, 20};
  const double kOnePercent[] = {7.0323, 3.9171, 3.4076, 3.2022, 3.0915};
  const double kFivePercent[] = {3.9193, 2.6688, 2.4106, 2.2939, 2.2254};
  const std::vector<LookBound> one = PocockBounds(looks, 0.01).value();
  const std::vector<LookBound> five = PocockBounds(looks, 0.05).value();
  for (size_t i = 0; i < looks.size(); ++i) {
    const double degrees = static_cast<double>(looks[i] - 1);
    EXPECT_NEAR(TQuantile(1 - one[i].level, degrees), kOnePercent[i], 2e-4);
    EXPECT_NEAR(TQuantile(1 - five[i].level, degrees), kFivePercent[i], 2e-4);
  }
}

TEST(PlannedLooks, SpendTheWholeErrorRateAtTheLast) {
  const double kSpent[] = {0.00295395, 0.00523137, 0.00708513, 0.0086484, 0.01};
  for (int k = 0; k < 5; ++k) EXPECT_NEAR(PocockSpending((k + 1) / 5.0, 0.01), kSpent[k], 1e-8);
}

// Published for the spending function in the manner of O'Brien and Fleming, one-sided 2.5 %.
TEST(PlannedLooks, RecursionMatchesThePublishedBounds) {
  const boost::math::normal normal;
  const double z = boost::math::quantile(normal, 1 - 0.025 / 2);
  std::vector<double> times;
  std::vector<double> spent;
  for (int k = 1; k <= 5; ++k) {
    times.push_back(k / 5.0);
    spent.push_back(2 * boost::math::cdf(normal, -z / std::sqrt(times.back())));
  }
  const std::vector<double> bounds = SpendingBounds(times, spent).value();
  const double kPublished[] = {4.877, 3.357, 2.680, 2.290, 2.031};
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(bounds[i], kPublished[i], 1e-3);
}

TEST(PlannedLooks, OneLookIsTheFixedTest) {
  EXPECT_NEAR(SpendingBounds(std::vector<double>{1.0}, std::vector<double>{0.05})->front(),
              1.6448536269514722, 1e-8);
}

TEST(PlannedLooks, RefuseTimesAndErrorRatesThatDoNotAscend) {
  const std::vector<double> half_and_whole = {0.5, 1};
  const auto code = [&](const std::vector<double>& times, const std::vector<double>& spent) {
    return SpendingBounds(times, spent).status().code();
  };
  EXPECT_EQ(code(half_and_whole, {0.01, 0.02}), absl::StatusCode::kOk);
  EXPECT_EQ(code({}, {}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(half_and_whole, {0.01}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(half_and_whole, {0.01, 0.01}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code(half_and_whole, {0, 0.01}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({0.5, 0.505}, {0.01, 0.02}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(code({0.5, 1.1}, {0.01, 0.02}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PocockBounds({}, 0.01).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(PocockBounds(std::vector<size_t>{0, 0}, 0.01).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tare::stats
