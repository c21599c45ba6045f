// Rows 3, 5 and 11 to 15 with a threshold: what a gate decides on synthetic rounds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "coordinator/analysis/stop.h"
#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Oracle O5 of the specification.
const std::vector<double> kRatios = {1.06, 1.09, 1.03, 1.11, 1.07, 1.05, 1.10, 1.08};

RunShape GateShape(int rounds) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.purpose = v1::PURPOSE_GATE;
  shape.rounds = rounds;
  shape.sets = 5;
  shape.has_control = false;
  return shape;
}

// Every sample of the candidate in round r is ratios[r] × 1 s, of the baseline 1 s; a second, so
// that the rounding of samples to a tick does not show.
RunData RunOfRatios(const std::vector<double>& ratios) {
  RunData data =
      MakeRun(GateShape(static_cast<int>(ratios.size())), [&ratios](const SampleContext& context) {
        const double ratio = ratios[static_cast<size_t>(context.round)];
        return 1e9 * (context.arm == "rollback" ? ratio : 1) + 1e3 * context.random->Normal();
      });
  data.experiment.mutable_threshold()->set_relative_ppm(50'000);
  return data;
}

std::vector<double> Times(double factor, std::vector<double> ratios) {
  for (double& ratio : ratios) ratio *= factor;
  return ratios;
}

TEST(Gate, FailsTheOracleByDefaultAndNotWhenStrict) {
  RunData data = RunOfRatios(kRatios);
  v1::Report report = ReportOf(data);
  const v1::GateResult gate = report.comparisons(0).gate();
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_EQ(gate.verdict_default(), v1::VERDICT_REGRESSION);
  EXPECT_EQ(gate.verdict_strict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_NEAR(gate.low(), 0.045455, 1e-5);
  EXPECT_NEAR(gate.high(), 0.091541, 1e-5);
  EXPECT_THAT(report.comparisons(0).sentence(),
              HasSubstr("above the threshold of 5 %, slower with 99 % confidence"));

  data.experiment.mutable_threshold()->set_strict(v1::SWITCH_ON);
  report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(report.exit_code(), 2);
  EXPECT_TRUE(report.comparisons(0).gate().is_strict());
}

TEST(Gate, DecidesEachRow) {
  const struct {
    const char* name;
    double factor;
    v1::Verdict verdict;
  } kCases[] = {{"as the oracle", 1, v1::VERDICT_REGRESSION},
                {"7 % less, about equal", 0.934, v1::VERDICT_EQUIVALENT},
                {"short of the threshold", 0.97, v1::VERDICT_INCONCLUSIVE},
                {"a little faster", 0.895, v1::VERDICT_PASS},
                {"much faster", 0.8, v1::VERDICT_IMPROVEMENT}};
  for (const auto& test : kCases) {
    const v1::Report report = ReportOf(RunOfRatios(Times(test.factor, kRatios)));
    EXPECT_EQ(report.verdict(), test.verdict) << test.name << report.comparisons(0).sentence();
  }
}

TEST(Gate, SaysHowManyRoundsItNeedsWhenItCannotTell) {
  const v1::Report report = ReportOf(RunOfRatios(Times(0.97, kRatios)));
  const v1::GateResult& gate = report.comparisons(0).gate();
  ASSERT_TRUE(gate.has_units_needed());
  // Sd 2.5 %: between the tabulated 4 rounds at 2 % and 8 at 4 %.
  EXPECT_GE(gate.units_needed(), 4);
  EXPECT_LE(gate.units_needed(), 6);
  EXPECT_GT(gate.visible(), 0.05);
  EXPECT_THAT(report.comparisons(0).sentence(), HasSubstr("it would pass 9 times in 10 with "));
}

TEST(Gate, WithBothThresholdsAChangeMustExceedBoth) {
  RunData data = RunOfRatios(kRatios);
  data.experiment.mutable_threshold()->set_absolute_ns(200'000'000);  // 20 % of the second
  EXPECT_EQ(ReportOf(data).verdict(), v1::VERDICT_EQUIVALENT);
  data.experiment.mutable_threshold()->set_absolute_ns(1'000'000);
  EXPECT_EQ(ReportOf(data).verdict(), v1::VERDICT_REGRESSION);
}

TEST(Gate, WithAnAbsoluteThresholdLooksAtDifferences) {
  RunData data = RunOfRatios(kRatios);
  data.experiment.mutable_threshold()->clear_relative_ppm();
  data.experiment.mutable_threshold()->set_absolute_ns(50'000'000);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
  // Differences .06 … .11 s: mean 73.75 ms, sd 26.6927 ms, t(.99,7) 2.99795.
  EXPECT_NEAR(report.comparisons(0).gate().low_ns(), 45.457e6, 5e3);
}

TEST(Gate, InProcessDecidesOnTheDifferencesOfSets) {
  RunShape shape;
  shape.purpose = v1::PURPOSE_GATE;
  RunData data = MakeRun(shape, SlowerBy(9'000));
  data.experiment.mutable_threshold()->set_relative_ppm(50'000);
  EXPECT_EQ(ReportOf(data).verdict(), v1::VERDICT_REGRESSION);
  data = MakeRun(shape, EqualArms);
  data.experiment.mutable_threshold()->set_relative_ppm(50'000);
  EXPECT_EQ(ReportOf(data).verdict(), v1::VERDICT_EQUIVALENT);
}

TEST(Gate, RefusesWhenItsKnownDelayWasNotSeen) {
  RunShape shape;
  shape.purpose = v1::PURPOSE_GATE;
  shape.known_delay_ns = 100;
  const Model noisy = [](const SampleContext& context) {
    return EqualArms(context) + 40'000 * context.random->Normal();
  };
  RunData data = MakeRun(shape, noisy);
  EXPECT_THAT(CodesOf(ReportOf(data).comparisons(0).refusals()), IsEmpty());
  data.experiment.mutable_threshold()->set_absolute_ns(100);
  EXPECT_THAT(CodesOf(ReportOf(data).comparisons(0).refusals()),
              ElementsAre("known-delay-not-seen"));
}

// Looks at 4, 7 and 10 of 10 rounds.
RunData RunWithLooks(std::vector<double> ratios, size_t rounds) {
  ratios.resize(10, 1);
  RunData data = RunOfRatios(ratios);
  for (const int look : {4, 7, 10}) data.plan.add_looks(look);
  data.trials.resize(rounds * 2);
  data.is_stopped_early = rounds < 10;
  return data;
}

TEST(Looks, StopAtTheFirstDecisionAndKeepItsReport) {
  const std::vector<double> slower = {1.30, 1.31, 1.29, 1.30};
  RunData data = RunWithLooks(slower, 4);
  data.is_final = false;
  data.is_stopped_early = false;
  const absl::StatusOr<StopDecision> decision = DecideStop(data);
  ASSERT_TRUE(decision.ok()) << decision.status();
  EXPECT_TRUE(decision->should_stop);
  EXPECT_EQ(decision->look, 1);
  EXPECT_THAT(decision->reason, HasSubstr("decided at look 1 of 3 after 4 rounds"));

  const v1::Report report = ReportOf(RunWithLooks(slower, 4));
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_TRUE(report.stop().is_decided());
  EXPECT_TRUE(report.comparisons(0).has_repeated_ratio());
  // t at the level of z 2.5601 (1 %, looks at 4, 7, 10) with 3 degrees of freedom.
  EXPECT_NEAR(report.comparisons(0).gate().low_confidence(), 0.994768, 1e-5);
}

TEST(Looks, DecideNothingBetweenThem) {
  const v1::Report report = ReportOf(RunWithLooks({1.30, 1.31, 1.29, 1.30, 1.31}, 5));
  EXPECT_EQ(report.verdict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_THAT(report.stop().text(), HasSubstr("no look is planned after 5 rounds"));
}

TEST(Looks, GoOnWhileUndecided) {
  RunData data = RunWithLooks({1.06, 0.99, 1.11, 1.02}, 4);
  data.is_final = false;
  const absl::StatusOr<StopDecision> decision = DecideStop(data);
  ASSERT_TRUE(decision.ok()) << decision.status();
  EXPECT_FALSE(decision->should_stop);
  EXPECT_THAT(ReportOf(data).stop().text(), HasSubstr("undecided at look 1 of 3 after 4 rounds"));
}

TEST(OpenEnded, DecidesAsSoonAsTheEvidenceIsEnough) {
  const std::vector<double> unchanged = {1.000, 1.001, 0.999, 1.000, 1.001, 0.999, 1.0005, 0.9995};
  RunData data = RunOfRatios(unchanged);
  data.experiment.mutable_stop()->set_open_ended(v1::SWITCH_ON);
  for (int look = 1; look <= 8; ++look) data.plan.add_looks(look);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_EQUIVALENT) << report.comparisons(0).sentence();
  EXPECT_TRUE(report.stop().is_open_ended());
  EXPECT_FALSE(report.comparisons(0).gate().has_low());
}

TEST(Gate, KeepsItsErrorRatesThroughTheWholeAnalysis) {
  constexpr int kRuns = 150;
  int failed_unchanged = 0;
  int passed_at_threshold = 0;
  Random random(20'261'201);
  for (int run = 0; run < kRuns; ++run) {
    std::vector<double> ratios;
    for (int round = 0; round < 8; ++round) ratios.push_back(std::exp(0.04 * random.Normal()));
    failed_unchanged += ReportOf(RunOfRatios(ratios)).verdict() == v1::VERDICT_REGRESSION;
    passed_at_threshold += ReportOf(RunOfRatios(Times(1.05, ratios))).verdict() == v1::VERDICT_PASS;
  }
  // Binomial bounds, exceeded once in a thousand: 1 % of 150 and 5.2 % of 150.
  EXPECT_LE(failed_unchanged, 6);
  EXPECT_LE(passed_at_threshold, 17);
}

// Row 16: the second session decides alone.
TEST(Confirmation, KeepsARegressionThatComesAgain) {
  RunData data = RunOfRatios(kRatios);
  data.plan.set_confirms("20261201-010203-abcd");
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
  EXPECT_EQ(report.exit_code(), 1);
  EXPECT_THAT(report.comparisons(0).flags(), Contains("confirmed"));
  EXPECT_THAT(report.comparisons(0).sentence(),
              HasSubstr("confirmed, in a second session after run 20261201-010203-abcd"));
}

TEST(Confirmation, TakesBackOneThatDoesNot) {
  RunData data = RunOfRatios({1.01, 0.99, 1.0, 1.005, 0.995, 1.01, 0.99, 1.0});
  data.plan.set_confirms("20261201-010203-abcd");
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(report.exit_code(), 2);
  EXPECT_THAT(report.comparisons(0).flags(), Contains("unconfirmed"));
  EXPECT_THAT(report.comparisons(0).sentence(), HasSubstr("did not come again"));
}

}  // namespace
}  // namespace tare::coordinator
