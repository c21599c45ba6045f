// Intervals and tests against values computed with scipy 1.10, tolerance 1e-7 unless rounded.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "stats/carry_over.h"
#include "stats/hodges_lehmann.h"
#include "stats/holm.h"
#include "stats/log_ratio.h"
#include "stats/order_strata.h"
#include "stats/smallest_visible.h"
#include "stats/t_interval.h"

namespace tare::stats {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const std::vector<double> kSix = {21, 25, 18, 30, 27, 24};
const std::vector<double> kEight = {12, 15, 9, 20, 14, 17, 11, 13};

TEST(TInterval, MatchesThePublishedIntervals) {
  const absl::StatusOr<Interval> six = TInterval(kSix, 0.95);
  ASSERT_TRUE(six.ok());
  EXPECT_NEAR(six->value, 24.1666666667, 1e-7);
  EXPECT_NEAR(six->low, 19.69372295, 1e-7);
  EXPECT_NEAR(six->high, 28.63961038, 1e-7);
  const absl::StatusOr<Interval> eight = TInterval(kEight, 0.95);
  ASSERT_TRUE(eight.ok());
  EXPECT_NEAR(eight->low, 10.963893999640117, 1e-9);
  EXPECT_NEAR(eight->high, 16.786106000359883, 1e-9);
  // benchstat's own test.
  const absl::StatusOr<Interval> negative = TInterval(std::vector<double>{-8, 2, 3, 4, 5, 6}, 0.95);
  ASSERT_TRUE(negative.ok());
  EXPECT_NEAR(negative->low, -3.351092806089359, 1e-9);
  EXPECT_NEAR(negative->high, 7.351092806089359, 1e-9);
}

TEST(TInterval, QuantilesMatchThePublishedOnes) {
  EXPECT_NEAR(TQuantile(0.975, 5), 2.5705818366, 1e-9);
  EXPECT_NEAR(TQuantile(0.99, 7), 2.9979515669, 1e-9);
  EXPECT_NEAR(TQuantile(0.95, 7), 1.8945786051, 1e-9);
  EXPECT_NEAR(TQuantile(0.975, 4), 2.7764451052, 1e-9);
  EXPECT_NEAR(TQuantile(0.975, 9), 2.2621571627, 1e-9);
}

TEST(TInterval, OneSidedLimitsOfLogRatiosMatchThePublishedOnes) {
  std::vector<double> scores;
  for (double ratio : {1.06, 1.09, 1.03, 1.11, 1.07, 1.05, 1.10, 1.08}) {
    scores.push_back(LogRatio(1, ratio).value());
  }
  EXPECT_NEAR(TInterval(scores, 0.95)->value, 0.0708856819, 1e-9);
  EXPECT_NEAR(TLowerLimit(scores, 0.99).value(), 0.0444522845, 1e-9);
  EXPECT_NEAR(TUpperLimit(scores, 0.95).value(), 0.0875904712, 1e-9);
}

TEST(TInterval, TwoOneSidedLimitsMakeTheTwoSidedInterval) {
  const Interval interval = TInterval(kSix, 0.95).value();
  EXPECT_NEAR(TLowerLimit(kSix, 0.975).value(), interval.low, 1e-9);
  EXPECT_NEAR(TUpperLimit(kSix, 0.975).value(), interval.high, 1e-9);
}

TEST(TInterval, ExcludesZeroExactlyWhenThePValueIsBelowTheLevel) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> values(5);
    for (double& value : values) value = random.Normal() + 1;
    const Interval interval = TInterval(values, 0.95).value();
    const bool excludes = interval.low > 0 || interval.high < 0;
    EXPECT_EQ(TTestP(values).value() < 0.05, excludes);
  }
}

TEST(TInterval, CoversTheTrueMeanAsOftenAsItSays) {
  Random random(5);
  constexpr int kRuns = 4000;
  int covered = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> values(6);
    for (double& value : values) value = 3 + random.Normal();
    const Interval interval = TInterval(values, 0.95).value();
    covered += interval.low <= 3 && 3 <= interval.high;
  }
  // 95 % of 4000 with five binomial standard deviations.
  EXPECT_NEAR(covered, 3800, 5 * std::sqrt(kRuns * 0.95 * 0.05));
}

TEST(TInterval, RefusesDegenerateInput) {
  EXPECT_EQ(TInterval(std::vector<double>{}, 0.95).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(TInterval(std::vector<double>{1}, 0.95).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(TInterval(std::vector<double>{0.1, 0.1, 0.1}, 0.95).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(TInterval(std::vector<double>{1, kNan}, 0.95).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(TInterval(kSix, 1).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(TLowerLimit(kSix, kNan).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(TUpperLimit(kSix, 0).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(TTestP(std::vector<double>{2, 2}).ok());
}

TEST(HodgesLehmann, MatchesThePublishedIntervals) {
  const HodgesLehmannEstimate six = HodgesLehmann(kSix, 0.95).value();
  EXPECT_EQ(six.value, 24);
  EXPECT_EQ(six.low, 18);
  EXPECT_EQ(six.high, 30);
  EXPECT_EQ(six.coverage, 0.96875);
  const HodgesLehmannEstimate eight = HodgesLehmann(kEight, 0.95).value();
  EXPECT_EQ(eight.value, 13.75);
  EXPECT_EQ(eight.rank, 4u);
  EXPECT_EQ(eight.low, 11);
  EXPECT_EQ(eight.high, 17);
  EXPECT_EQ(eight.coverage, 0.9609375);
  // The differences of the two samples in skia perf's own test.
  const std::vector<double> skia = {206, 224, 510, -665, -103, -567};
  EXPECT_EQ(HodgesLehmann(skia, 0.95)->value, -77.5);
  EXPECT_EQ(HodgesLehmann(skia, 0.95)->low, -665);
  EXPECT_EQ(HodgesLehmann(skia, 0.95)->high, 510);
}

TEST(HodgesLehmann, RanksAndCoverageMatchTheExactDistribution) {
  const struct {
    size_t count;
    size_t rank;
    double coverage;
  } kCases[] = {{6, 1, 0.968750},  {7, 3, 0.953125},   {8, 4, 0.960938},   {9, 6, 0.960938},
                {10, 9, 0.951172}, {12, 14, 0.957520}, {15, 26, 0.952087}, {20, 53, 0.951559}};
  for (const auto& test : kCases) {
    std::vector<double> values;
    for (size_t i = 0; i < test.count; ++i) values.push_back(static_cast<double>(i * i));
    const absl::StatusOr<HodgesLehmannEstimate> estimate = HodgesLehmann(values, 0.95);
    ASSERT_TRUE(estimate.ok()) << estimate.status();
    EXPECT_EQ(estimate->rank, test.rank) << test.count;
    EXPECT_NEAR(estimate->coverage, test.coverage, 1e-6) << test.count;
  }
}

TEST(HodgesLehmann, RefusesWhatItCannotSay) {
  EXPECT_EQ(HodgesLehmann(std::vector<double>{1, 2, 3, 4, 5}, 0.95).status().message(),
            "5 values cannot reach a confidence of 0.95 by signed ranks");
  EXPECT_FALSE(HodgesLehmann(std::vector<double>(8, 1.0), 0.95).ok());
  EXPECT_FALSE(HodgesLehmann({}, 0.95).ok());
  EXPECT_FALSE(HodgesLehmann(kEight, 0).ok());
  std::vector<double> many(kHodgesLehmannValuesMax + 1, 1.0);
  many[0] = 2;
  EXPECT_EQ(HodgesLehmann(many, 0.95).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(Holm, AdjustsStepwise) {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") in R.
  const std::vector<HolmTest> tests =
      Holm(std::vector<double>{0.01, 0.04, 0.03, 0.005}, 0.05).value();
  EXPECT_NEAR(tests[0].p_adjusted, 0.03, 1e-12);
  EXPECT_NEAR(tests[1].p_adjusted, 0.06, 1e-12);
  EXPECT_NEAR(tests[2].p_adjusted, 0.06, 1e-12);
  EXPECT_NEAR(tests[3].p_adjusted, 0.02, 1e-12);
  // The third in size is kept, so the fourth is decided at its level too.
  EXPECT_NEAR(tests[3].level, 0.05 / 4, 1e-12);
  EXPECT_NEAR(tests[0].level, 0.05 / 3, 1e-12);
  EXPECT_NEAR(tests[2].level, 0.05 / 2, 1e-12);
  EXPECT_NEAR(tests[1].level, 0.05 / 2, 1e-12);
}

TEST(Holm, RejectsExactlyWhatIsBelowItsLevel) {
  Random random(3);
  for (int run = 0; run < 200; ++run) {
    std::vector<double> p_values(1 + random.Below(6));
    for (double& p : p_values) p = std::pow(random.Uniform(), 4);
    const std::vector<HolmTest> tests = Holm(p_values, 0.05).value();
    for (size_t i = 0; i < p_values.size(); ++i) {
      EXPECT_EQ(tests[i].p_adjusted <= 0.05, p_values[i] <= tests[i].level);
    }
  }
}

TEST(Holm, OfOneTestChangesNothing) {
  const std::vector<HolmTest> tests = Holm(std::vector<double>{0.02}, 0.01).value();
  EXPECT_EQ(tests[0].p_adjusted, 0.02);
  EXPECT_EQ(tests[0].level, 0.01);
}

TEST(Holm, RefusesNothingAndImpossibleNumbers) {
  EXPECT_FALSE(Holm({}, 0.05).ok());
  EXPECT_FALSE(Holm(std::vector<double>{1.5}, 0.05).ok());
  EXPECT_FALSE(Holm(std::vector<double>{kNan}, 0.05).ok());
  EXPECT_FALSE(Holm(std::vector<double>{0.5}, 0).ok());
}

TEST(SmallestVisible, FactorsMatchTheExactOnes) {
  EXPECT_NEAR(8 * VisibleFactor(10, 0.80).value(), 7.968018, 1e-6);
  EXPECT_NEAR(8 * VisibleFactor(10, 0.95).value(), 10.287522, 1e-6);
  const struct {
    size_t units;
    double k80;
    double k95;
  } kCases[] = {{3, 3.264, 4.487},  {5, 1.682, 2.204},  {6, 1.435, 1.867},  {8, 1.156, 1.496},
                {10, 0.996, 1.286}, {15, 0.778, 1.002}, {20, 0.660, 0.850}, {30, 0.529, 0.681}};
  for (const auto& test : kCases) {
    EXPECT_NEAR(VisibleFactor(test.units, 0.80).value(), test.k80, 6e-4) << test.units;
    EXPECT_NEAR(VisibleFactor(test.units, 0.95).value(), test.k95, 6e-4) << test.units;
  }
}

TEST(SmallestVisible, SpreadFactorsMatchTheExactOnes) {
  const struct {
    size_t units;
    double factor;
  } kCases[] = {{3, 2.116936},  {5, 1.557575},  {6, 1.460972},  {8, 1.353273},
                {10, 1.293385}, {15, 1.216047}, {20, 1.176973}, {30, 1.135922}};
  for (const auto& test : kCases) {
    EXPECT_NEAR(SpreadFactor(test.units).value(), test.factor, 1e-6) << test.units;
  }
}

TEST(SmallestVisible, FactorsExistOverTheWholeRange) {
  for (size_t units : {3u, 4u, 30u, 1000u, 10000u}) {
    for (double power : {0.1, 0.8, 0.95, 0.999}) {
      const absl::StatusOr<double> factor = VisibleFactor(units, power);
      ASSERT_TRUE(factor.ok()) << factor.status();
      EXPECT_GT(*factor, 0);
    }
  }
}

TEST(SmallestVisible, IsFactorTimesUncertaintyTimesSpread) {
  EXPECT_NEAR(SmallestVisibleEffect(kEight, 0.8).value(),
              VisibleFactor(8, 0.8).value() * 1.353273 * 3.48209707, 1e-5);
}

TEST(SmallestVisible, RefusesTooFewUnitsAndNoSpread) {
  EXPECT_EQ(SmallestVisibleEffect(kSix, 0.8).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_FALSE(SmallestVisibleEffect(std::vector<double>(8, 1.0), 0.8).ok());
  EXPECT_FALSE(VisibleFactor(2, 0.8).ok());
  EXPECT_FALSE(VisibleFactor(10, 1).ok());
  EXPECT_FALSE(VisibleFactor(10, kNan).ok());
  EXPECT_FALSE(SpreadFactor(1).ok());
}

TEST(OrderStrata, RemovesTheOrderEffectHoweverTheOrdersAreMixed) {
  const std::vector<double> baseline_first(20, 10.0 + 3);
  const std::vector<double> candidate_first(5, 10.0 - 3);
  const StratifiedDifference difference =
      EstimateStratified(baseline_first, candidate_first, 0).value();
  EXPECT_DOUBLE_EQ(difference.value, 10);
  EXPECT_DOUBLE_EQ(difference.position_effect, 3);
}

TEST(OrderStrata, RefusesAStratumOfFour) {
  const std::vector<double> four(4, 1.0);
  const std::vector<double> five(5, 1.0);
  EXPECT_EQ(EstimateStratified(four, five, 0).status().message(),
            "too few values: 4 of at least 5");
  EXPECT_FALSE(EstimateStratified(five, four, 0).ok());
  EXPECT_FALSE(EstimateStratified(five, {}, 0).ok());
  EXPECT_FALSE(EstimateStratified(five, std::vector<double>{1, 2, 3, 4, kNan}, 0).ok());
}

SamplesAfter Constant(double baseline, double candidate, size_t count = 5) {
  return {std::vector<double>(count, baseline), std::vector<double>(count, candidate)};
}

TEST(CarryOver, FindsWhatTheCandidateLeavesBehind) {
  // The candidate costs 50 more; whatever follows a candidate costs 8 more.
  const SamplesAfter after_baseline = Constant(100, 150);
  const SamplesAfter after_candidate = Constant(108, 158);
  const CarryOver carry = EstimateCarryOver(after_baseline, after_candidate, 0).value();
  EXPECT_DOUBLE_EQ(carry.on_baseline, 8);
  EXPECT_DOUBLE_EQ(carry.on_candidate, 8);
  EXPECT_DOUBLE_EQ(carry.mean, 8);
  const std::vector<SamplesAfter> predecessors = {after_baseline, after_candidate};
  EXPECT_DOUBLE_EQ(DifferenceAfterSame(predecessors, 0).value(), 50);
}

TEST(CarryOver, RefusesAStratumOfFour) {
  const SamplesAfter thin = Constant(1, 2, 4);
  EXPECT_FALSE(EstimateCarryOver(Constant(1, 2), thin, 0).ok());
  EXPECT_FALSE(EstimateCarryOver(thin, Constant(1, 2), 0).ok());
  EXPECT_FALSE(DifferenceAfterSame(std::vector<SamplesAfter>{thin}, 0).ok());
  EXPECT_FALSE(DifferenceAfterSame({}, 0).ok());
}

}  // namespace
}  // namespace tare::stats
