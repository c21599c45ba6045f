// Published values for MSER, and curves of known shape for the three answers.

#include "stats/warm_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"

namespace tare::stats {
namespace {

using ::testing::ElementsAre;

constexpr double kTolerance = 0.01;
const std::vector<double> kTwelve = {1.3,  1.28, 1.31, 1.05, 1.0,  1.01,
                                     0.99, 1.0,  1.02, 1.0,  0.99, 1.01};

TEST(WarmUp, MserCutsWherePublished) {
  EXPECT_EQ(MserCut(kTwelve).value(), 4u);
  EXPECT_EQ(MserCut(std::vector<double>{1, 1, 1, 1}).value(), 0u);
}

TEST(WarmUp, SegmentsBeginWhereTheLevelChanges) {
  EXPECT_THAT(LevelSegments(kTwelve, 0.002).value(), ElementsAre(0, 3));
  EXPECT_THAT(LevelSegments(kTwelve, 10).value(), ElementsAre(0));
  // Two blocks are no segment: the step is put where it costs least.
  EXPECT_THAT(LevelSegments(std::vector<double>{5, 5, 1, 1, 1, 1, 1}, 0.1).value(),
              ElementsAre(0, 3));
  EXPECT_THAT(LevelSegments(std::vector<double>{5, 1}, 0).value(), ElementsAre(0));
  EXPECT_THAT(LevelSegments(std::vector<double>{1, 1, 1, 7, 7, 7, 3, 3, 3}, 0.1).value(),
              ElementsAre(0, 3, 6));
}

// Every way to cut up to 11 blocks, against the dynamic program.
TEST(WarmUp, SegmentsAreTheBestOfAll) {
  Random random(3);
  for (int run = 0; run < 50; ++run) {
    std::vector<double> blocks(11);
    for (double& block : blocks) block = random.Normal();
    const auto cost_of = [&](const std::vector<size_t>& begins) {
      double cost = 0;
      for (size_t s = 0; s < begins.size(); ++s) {
        const size_t end = s + 1 < begins.size() ? begins[s + 1] : blocks.size();
        double mean = 0;
        for (size_t i = begins[s]; i < end; ++i) {
          mean += blocks[i] / static_cast<double>(end - begins[s]);
        }
        for (size_t i = begins[s]; i < end; ++i) cost += (blocks[i] - mean) * (blocks[i] - mean);
        cost += 0.5;
      }
      return cost;
    };
    double best = cost_of({0});
    for (size_t a = 3; a + 3 <= 11; ++a) {
      best = std::min(best, cost_of({0, a}));
      for (size_t b = a + 3; b + 3 <= 11; ++b) best = std::min(best, cost_of({0, a, b}));
    }
    EXPECT_NEAR(cost_of(LevelSegments(blocks, 0.5).value()), best, 1e-9);
  }
}

// Fifty blocks of ten processes about a curve; the noise of a block median of 20 calls.
WarmUp AssessCurve(const std::function<double(size_t)>& curve, double noise, uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<double>> processes(10);
  for (std::vector<double>& blocks : processes) {
    const double level = 0.09 * random.Normal();
    for (size_t i = 0; i < 50; ++i) blocks.push_back(level + curve(i) + noise * random.Normal());
  }
  return AssessWarmUp(processes, kTolerance).value();
}

TEST(WarmUp, FlatCurvesAreSteadyFromTheBeginning) {
  const WarmUp flat = AssessCurve([](size_t) { return 0.0; }, 0.01, 1);
  EXPECT_EQ(flat.steadiness, Steadiness::kSteady);
  EXPECT_LT(flat.start, 25u);
  EXPECT_LE(*flat.tolerance_shown, kTolerance);
}

TEST(WarmUp, StepsDownAreSteadyFromTheStepOn) {
  const auto step = [](size_t i) { return i < 6 ? 0.2 : 0.0; };
  const WarmUp assessed = AssessCurve(step, 0.01, 2);
  EXPECT_EQ(assessed.steadiness, Steadiness::kSteady);
  EXPECT_GE(assessed.start, 6u);
  EXPECT_LE(assessed.start, 25u);
}

TEST(WarmUp, StepsUpAreSteadyToo) {
  const WarmUp assessed = AssessCurve([](size_t i) { return i < 10 ? 0.0 : 0.1; }, 0.01, 3);
  EXPECT_EQ(assessed.steadiness, Steadiness::kSteady);
  EXPECT_GE(assessed.start, 10u);
}

TEST(WarmUp, DriftsAndLateStepsAreNotSteady) {
  EXPECT_EQ(
      AssessCurve([](size_t i) { return 0.002 * static_cast<double>(i); }, 0.01, 4).steadiness,
      Steadiness::kNotSteady);
  EXPECT_EQ(AssessCurve([](size_t i) { return i < 43 ? 0.0 : 0.1; }, 0.01, 5).steadiness,
            Steadiness::kNotSteady);
}

TEST(WarmUp, NoiseThatHidesTheToleranceLeavesItUnresolved) {
  const WarmUp assessed = AssessCurve([](size_t) { return 0.0; }, 0.06, 6);
  EXPECT_EQ(assessed.steadiness, Steadiness::kUnresolved);
  EXPECT_GT(*assessed.tolerance_shown, kTolerance);
}

TEST(WarmUp, TheToleranceShownIsTheOneThatWouldHaveDone) {
  Random random(7);
  std::vector<std::vector<double>> processes(3);
  for (std::vector<double>& blocks : processes) {
    for (size_t i = 0; i < 50; ++i) blocks.push_back(0.05 * random.Normal());
  }
  const WarmUp assessed = AssessWarmUp(processes, kTolerance).value();
  ASSERT_EQ(assessed.steadiness, Steadiness::kUnresolved);
  const double shown = *assessed.tolerance_shown;
  EXPECT_EQ(AssessWarmUp(processes, shown * 1.001)->steadiness, Steadiness::kSteady);
  EXPECT_EQ(AssessWarmUp(processes, shown * 0.999)->steadiness, Steadiness::kUnresolved);
}

TEST(WarmUp, FewBlocksAreUnresolvedWithoutANumber) {
  const std::vector<std::vector<double>> few = {std::vector<double>(19, 1.0)};
  const WarmUp assessed = AssessWarmUp(few, kTolerance).value();
  EXPECT_EQ(assessed.steadiness, Steadiness::kUnresolved);
  EXPECT_FALSE(assessed.tolerance_shown.has_value());
}

// The test of equivalence errs in 5 % at its limit; the bound is four binomial deviations above.
TEST(WarmUp, SlowDriftsAreHardlyEverCalledSteady) {
  constexpr int kCurves = 300;
  int steady = 0;
  const auto drift = [](size_t i) { return 0.03 * static_cast<double>(i) / 49; };
  for (uint64_t seed = 0; seed < kCurves; ++seed) {
    steady += AssessCurve(drift, 0.02, 100 + seed).steadiness == Steadiness::kSteady;
  }
  EXPECT_LE(steady, kCurves * 0.05 + 4 * std::sqrt(kCurves * 0.05 * 0.95));
}

TEST(WarmUp, RefusesWhatIsNoBlockTable) {
  const std::vector<std::vector<double>> uneven = {{1, 2, 3}, {1, 2}};
  EXPECT_EQ(AssessWarmUp({}, kTolerance).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(AssessWarmUp(uneven, kTolerance).status().message(),
            "a process has 2 blocks, another 3");
  const std::vector<std::vector<double>> three = {{1, 2, NAN}};
  EXPECT_EQ(AssessWarmUp(three, kTolerance).status().code(), absl::StatusCode::kInvalidArgument);
  const std::vector<std::vector<double>> blocks = {std::vector<double>(30, 1.0)};
  EXPECT_EQ(AssessWarmUp(blocks, 0).status().code(), absl::StatusCode::kInvalidArgument);
  const std::vector<std::vector<double>> many = {std::vector<double>(kWarmUpBlocksMax + 1, 1.0)};
  EXPECT_EQ(AssessWarmUp(many, kTolerance).status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(LevelSegments(kTwelve, -1).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tare::stats
