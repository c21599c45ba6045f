// Values computed with scipy 1.10.

#include "stats/e_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <vector>

namespace tare::stats {
namespace {

const std::vector<double> kSix = {0.02, 0.05, 0.03, 0.06, 0.04, 0.05};

std::vector<double> Less(std::vector<double> values, double limit) {
  for (double& value : values) value -= limit;
  return values;
}

TEST(EProcess, GrowsAsPublished) {
  const double kExpected[] = {1.0, 1.32182825, 2.49879352, 4.71095269, 11.92857829, 33.80812658};
  for (size_t n = 1; n <= 6; ++n) {
    EXPECT_NEAR(EValue(std::span(kSix).first(n)).value(), kExpected[n - 1], 1e-7);
  }
}

TEST(EProcess, DoesNotKnowTheUnitOfTheScores) {
  std::vector<double> scaled = kSix;
  for (double& score : scaled) score *= -1e6;
  EXPECT_NEAR(EValue(scaled).value(), 33.80812658, 1e-7);
}

TEST(EProcess, BetsNothingOnZeros) { EXPECT_EQ(EValue(std::vector<double>(9, 0.0)).value(), 1); }

TEST(EProcess, ConfidenceSequenceMatchesThePublishedOne) {
  const Interval four = ConfidenceSequence(std::span(kSix).first(4), 0.95).value();
  EXPECT_NEAR(four.value, 0.04, 1e-12);
  EXPECT_TRUE(std::isinf(four.low) && four.low < 0);
  EXPECT_TRUE(std::isinf(four.high) && four.high > 0);
  const Interval five = ConfidenceSequence(std::span(kSix).first(5), 0.95).value();
  EXPECT_NEAR(five.high - five.value, 0.059773059829463536, 1e-12);
  const Interval six = ConfidenceSequence(kSix, 0.95).value();
  EXPECT_NEAR(six.value, 0.0416666667, 1e-10);
  EXPECT_NEAR(six.value - six.low, 0.032749340721149496, 1e-12);
}

TEST(EProcess, ConfidenceSequenceEndsWhereEReachesTheReciprocalOfTheLevel) {
  const Interval interval = ConfidenceSequence(kSix, 0.95).value();
  EXPECT_NEAR(EValue(Less(kSix, interval.low)).value(), 20, 1e-9);
  EXPECT_NEAR(EValue(Less(kSix, interval.high)).value(), 20, 1e-9);
}

TEST(EProcess, ConfidenceSequenceIsFiniteFromFewScoresOn) {
  const auto first_finite = [&](double confidence) {
    size_t n = 1;
    while (!std::isfinite(ConfidenceSequence(std::span(kSix).first(n), confidence)->low)) ++n;
    return n;
  };
  EXPECT_EQ(first_finite(0.95), 5u);
  EXPECT_EQ(first_finite(0.98), 6u);
  EXPECT_EQ(first_finite(0.90), 4u);
}

TEST(EProcess, DecidesAtTheReciprocalOfTwiceTheLevel) {
  // E is 33.8: enough for 1.5 %, not for 1 %.
  const GateScores above = {kSix, {Less(kSix, 0.03)}};
  EXPECT_NEAR(DecideOpenEnded(above, {}).value().fail_p, 1 / (2 * 33.80812658), 1e-9);
  EXPECT_EQ(DecideOpenEnded(above, {}).value().decision, GateDecision::kInconclusive);
  EXPECT_EQ(DecideOpenEnded(above, {.fail = 0.015}).value().decision, GateDecision::kFail);
  // The mean 0.0417 is below 0.05, but E against that is small.
  const GateScores between = {kSix, {Less(kSix, 0.05)}};
  EXPECT_EQ(DecideOpenEnded(between, {.fail = 0.015}).value().decision,
            GateDecision::kInconclusive);
  EXPECT_EQ(DecideOpenEnded(between, {.fail = 0.015}).value().fail_p, 1);
  const GateScores below = {kSix, {Less(kSix, 0.10)}};
  EXPECT_EQ(DecideOpenEnded(below, {}).value().decision, GateDecision::kPass);
}

TEST(EProcess, WithoutAThresholdItOnlyFails) {
  EXPECT_EQ(DecideOpenEnded({kSix, {}}, {.fail = 0.025}).value().decision, GateDecision::kFail);
  EXPECT_EQ(DecideOpenEnded({Less(kSix, 1), {}}, {}).value().decision, GateDecision::kInconclusive);
}

TEST(EProcess, RefusesWhatItCannotJudge) {
  EXPECT_EQ(EValue({}).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(EValue(std::vector<double>{1, NAN}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(ConfidenceSequence(kSix, 1).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(DecideOpenEnded({kSix, {{1.0}}}, {}).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(DecideOpenEnded({kSix, {}}, {.pass = 0.6}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tare::stats
