// The gate's rule against values computed with scipy 1.10, and its verdicts case by case.

#include "stats/gate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "stats/smallest_visible.h"

namespace tare::stats {
namespace {

const std::vector<double> kOnes(8, 1.0);
const std::vector<double> kRatios = {1.06, 1.09, 1.03, 1.11, 1.07, 1.05, 1.10, 1.08};

std::vector<double> Scaled(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

GateVerdict Decide(const std::vector<double>& baseline, const std::vector<double>& candidate,
                   const GateThreshold& threshold) {
  const GateScores forward = ScoreGate(baseline, candidate, threshold).value();
  const GateScores swapped = ScoreGate(candidate, baseline, threshold).value();
  return VerdictOf(DecideGate(forward, {}).value().decision,
                   DecideGate(swapped, {}).value().decision);
}

TEST(Gate, LimitsOfLogRatiosMatchThePublishedOnes) {
  const GateScores scores = ScoreGate(kOnes, kRatios, {}).value();
  const ScoreLimits limits = LimitsOf(scores.over_floor, {}).value();
  EXPECT_EQ(limits.count, 8u);
  EXPECT_NEAR(limits.mean, 0.0708856819, 1e-9);
  EXPECT_NEAR(limits.se, 0.0088171529, 1e-9);
  EXPECT_NEAR(limits.low, 0.0444522845, 1e-9);
  EXPECT_NEAR(limits.high, 0.0875904712, 1e-9);
}

TEST(Gate, TheSameRatiosFailByDefaultAndAreInconclusiveWhenStrict) {
  EXPECT_EQ(Decide(kOnes, kRatios, {.relative = 0.05}), GateVerdict::kRegression);
  EXPECT_EQ(Decide(kOnes, kRatios, {.relative = 0.05, .is_strict = true}),
            GateVerdict::kInconclusive);
  EXPECT_EQ(Decide(kOnes, kRatios, {.relative = 0.04, .is_strict = true}),
            GateVerdict::kRegression);
}

TEST(Gate, VerdictsFollowTheThreshold) {
  struct Case {
    GateThreshold threshold;
    GateVerdict slower;  // of kRatios
    GateVerdict faster;  // with the arms exchanged
  };
  const Case kCases[] = {
      {{}, GateVerdict::kRegression, GateVerdict::kImprovement},
      {{.relative = 0.07}, GateVerdict::kRegression, GateVerdict::kImprovement},
      // The mean is 7.35 %, the upper limit 9.15 %.
      {{.relative = 0.08}, GateVerdict::kInconclusive, GateVerdict::kPass},
      {{.relative = 0.10}, GateVerdict::kEquivalent, GateVerdict::kEquivalent},
      {{.absolute = 0.05}, GateVerdict::kRegression, GateVerdict::kImprovement},
      {{.absolute = 0.05, .is_strict = true}, GateVerdict::kInconclusive, GateVerdict::kPass},
      {{.absolute = 0.10}, GateVerdict::kEquivalent, GateVerdict::kEquivalent},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(testing::Message()
                 << c.threshold.relative.value_or(0) << " " << c.threshold.absolute.value_or(0));
    EXPECT_EQ(Decide(kOnes, kRatios, c.threshold), c.slower);
    EXPECT_EQ(Decide(kRatios, kOnes, c.threshold), c.faster);
  }
}

TEST(Gate, WithBothThresholdsTheScoreIsHeldAgainstTheLargerOne) {
  const GateThreshold both = {.relative = 0.05, .absolute = 0.1};
  const GateScores small =
      ScoreGate(std::vector<double>{1.0}, std::vector<double>{1.08}, both).value();
  ASSERT_EQ(small.over_threshold.size(), 1u);
  EXPECT_NEAR(small.over_threshold[0][0], -0.0183491387, 1e-9);
  EXPECT_NEAR(small.over_floor[0], std::log(1.08), 1e-12);
  const GateScores large =
      ScoreGate(std::vector<double>{4.0}, std::vector<double>{4.3}, both).value();
  ASSERT_EQ(large.over_threshold.size(), 1u);
  EXPECT_NEAR(large.over_threshold[0][0], 0.0235304974, 1e-9);
}

TEST(Gate, BothThresholdsMustBeExceeded) {
  const GateThreshold both = {.relative = 0.05, .absolute = 0.1};
  // 7 % of 1 ms is no 0.1 ms; 7 % of 10 ms is.
  EXPECT_NE(Decide(kOnes, kRatios, both), GateVerdict::kRegression);
  EXPECT_EQ(Decide(Scaled(kOnes, 10), Scaled(kRatios, 10), both), GateVerdict::kRegression);
}

TEST(Gate, NearTheKinkBothThresholdsAreTestedApart) {
  const GateThreshold both = {.relative = 0.05, .absolute = 0.1};
  for (const double level : {1.65, 2.0, 2.35}) {
    const GateScores scores = ScoreGate(Scaled(kOnes, level), Scaled(kRatios, level), both).value();
    ASSERT_EQ(scores.over_threshold.size(), 2u) << level;
    EXPECT_NEAR(scores.over_threshold[0][0], std::log(1.06 / 1.05), 1e-12);
    EXPECT_NEAR(scores.over_threshold[1][0], 0.06 * level - 0.1, 1e-12);
  }
  EXPECT_EQ(Decide(Scaled(kOnes, 2), Scaled(kRatios, 2), both), GateVerdict::kRegression);
  // At 1.7 ms the mean is above 5 %, and above 0.1 ms; at 1.65 with 6 % less it is not above that.
  const std::vector<double> fewer = Scaled(kRatios, 1.65 * 0.985);
  EXPECT_NE(Decide(Scaled(kOnes, 1.65), fewer, both), GateVerdict::kRegression);
}

TEST(Gate, ThePValueDecidesAtEveryLevel) {
  const GateScores scores =
      ScoreGate(kOnes, kRatios, {.relative = 0.05, .is_strict = true}).value();
  const double p = DecideGate(scores, {}).value().fail_p;
  EXPECT_GT(p, 0.01);
  EXPECT_LT(p, 0.05);
  EXPECT_EQ(DecideGate(scores, {.fail = p * 1.001}).value().decision, GateDecision::kFail);
  EXPECT_EQ(DecideGate(scores, {.fail = p * 0.999}).value().decision, GateDecision::kInconclusive);
  EXPECT_GT(LimitsOf(scores.over_floor, {.fail = p * 1.001}).value().low, 0);
  EXPECT_LT(LimitsOf(scores.over_floor, {.fail = p * 0.999}).value().low, 0);
}

TEST(Gate, AMeanBelowTheThresholdIsNoEvidence) {
  const GateScores scores = ScoreGate(kOnes, kRatios, {.relative = 0.08}).value();
  EXPECT_EQ(DecideGate(scores, {}).value().fail_p, 1);
}

TEST(Gate, SmallestVisibleEffectNeedsAFloorBelowTheThreshold) {
  // Without a floor and at two-sided levels it is the factor of the two-sided test.
  EXPECT_NEAR(SmallestVisibleInGate({0, 0, 0.025}, 2, 10, 0.8).value(),
              2 * VisibleFactor(10, 0.8).value(), 1e-9);
  // Where the spread is small only the threshold counts.
  EXPECT_NEAR(SmallestVisibleInGate({0, 1}, 1e-3, 16, 0.8).value(), 1 + 0.8416e-3 / 4, 1e-7);
  for (const GateLimits& limits : {GateLimits{2, 1}, GateLimits{0, 1, 0}}) {
    EXPECT_EQ(SmallestVisibleInGate(limits, 1, 10, 0.8).status().code(),
              absl::StatusCode::kInvalidArgument);
  }
  EXPECT_FALSE(SmallestVisibleInGate({0, 1}, 0, 10, 0.8).ok());
}

TEST(Gate, RefusesWhatItCannotScore) {
  const std::vector<double> two = {1, 2};
  const std::vector<double> with_zero = {1, 0};
  EXPECT_EQ(ScoreGate(kOnes, two, {}).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ScoreGate(two, with_zero, {}).status().message(),
            "no ratio: candidate value 1 is 0, not above zero");
  EXPECT_TRUE(ScoreGate(two, with_zero, {.absolute = 1}).ok());
  EXPECT_EQ(ScoreGate(two, two, {.relative = 0.0}).status().message(),
            "relative threshold 0 is not above zero");
  EXPECT_EQ(ScoreGate(two, two, {.absolute = -1}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ScoreGate({}, {}, {}).status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(Gate, RefusesWhatItCannotDecide) {
  EXPECT_EQ(LimitsOf(std::vector<double>{1, 2}, {}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(LimitsOf(std::vector<double>{1, 1, 1}, {}).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(LimitsOf(std::vector<double>{1, 2, 3}, {.fail = 0}).status().message(),
            "level 0 of fail is outside 0 to 0.5");
  EXPECT_EQ(DecideGate({{1, 2, 3}, {{1, 2}}}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tare::stats
