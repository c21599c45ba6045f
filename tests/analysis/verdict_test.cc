// Rows 2 to 10 and 15: what refuses a comparison, what decides it, what the run makes of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Verdict, OfMeasuredPairsIsTheExpectedOne) {
  const struct {
    const char* name;
    v1::Order order;
    int exit_code;
    double estimate_us;
    double low_us;
    double high_us;
  } kCases[] = {{"identical_random", v1::ORDER_RANDOM, 2, 0.54, -0.97, 2.05},
                {"identical_fixed_order", v1::ORDER_FIXED, 3, -7.57, -8.74, -6.41},
                {"identical_blocked", v1::ORDER_BLOCKED, 3, -3.62, -21.92, 14.67},
                {"middle_25us_random", v1::ORDER_RANDOM, 1, 28.69, 26.43, 30.95},
                {"end_500us_random", v1::ORDER_RANDOM, 1, 491.87, 488.02, 495.71},
                {"end_500us_washout", v1::ORDER_RANDOM, 1, 499.52, 497.89, 501.15}};
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.name);
    const v1::Report report = ReportOf(RunFromPairs(test.name, test.order));
    EXPECT_EQ(report.exit_code(), test.exit_code);
    ASSERT_EQ(report.comparisons_size(), 1);
    const v1::ReportComparison& comparison = report.comparisons(0);
    // The published values are of ordinary medians, rounded; grouping by the tick moves them a bit.
    EXPECT_NEAR(comparison.estimate().value_ns() / 1e3, test.estimate_us, 0.02);
    EXPECT_NEAR(comparison.estimate().low_ns() / 1e3, test.low_us, 0.02);
    EXPECT_NEAR(comparison.estimate().high_ns() / 1e3, test.high_us, 0.02);
    EXPECT_EQ(comparison.sets(), 3000);
    const bool has_carry_over = std::string(test.name) == "end_500us_random";
    EXPECT_EQ(std::count(comparison.flags().begin(), comparison.flags().end(), "carry-over"),
              has_carry_over ? 1 : 0);
  }
}

TEST(Verdict, OfMeasuredCarryOverShowsItAndItsCure) {
  const v1::Report report = ReportOf(RunFromPairs("end_500us_random", v1::ORDER_RANDOM));
  const v1::CarryOver& carry = report.comparisons(0).carry_over();
  EXPECT_EQ(carry.status(), v1::CHECK_STATUS_WARNED);
  EXPECT_NEAR(carry.effect().value_ns() / 1e3, 8.0, 0.06);
  EXPECT_NEAR(carry.free_estimate().value_ns() / 1e3, 509.62, 0.02);
  EXPECT_NEAR(carry.gap().low_ns() / 1e3, 6.1, 0.06);
  EXPECT_NEAR(carry.gap().high_ns() / 1e3, 29.4, 0.06);
  EXPECT_THAT(carry.text(), HasSubstr("washout: 1 or order: balanced would cure it"));
}

TEST(Verdict, OfAFixedOrderOnEqualArmsIsRefusedWithTheBiasShown) {
  RunShape shape;
  shape.order = v1::ORDER_FIXED;
  const Model second_is_faster = [](const SampleContext& context) {
    return EqualArms(context) - (context.arm == "rollback" ? 7'000 : 0);
  };
  RunData data = MakeRun(shape, second_is_faster);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  const v1::ReportComparison& comparison = report.comparisons(0);
  EXPECT_TRUE(comparison.order_effect().is_confounded());
  EXPECT_EQ(comparison.carry_over().status(), v1::CHECK_STATUS_NOT_RUN);
  ASSERT_THAT(CodesOf(comparison.refusals()), Contains("order-confounded"));
  for (const v1::Refusal& refusal : comparison.refusals()) {
    if (refusal.code() != "order-confounded") continue;
    EXPECT_THAT(refusal.measured(), testing::MatchesRegex("bias -[67]\\.[0-9]+ us \\[.*\\]"));
    EXPECT_EQ(refusal.where(), "copy / rollback");
  }

  data.experiment.add_study(v1::ORDER_FIXED);
  const v1::Report studied = ReportOf(data);
  EXPECT_TRUE(studied.comparisons(0).order_effect().is_confounded());
  EXPECT_THAT(CodesOf(studied.comparisons(0).refusals()), Not(Contains("order-confounded")));
  EXPECT_THAT(studied.warnings(), Contains(HasSubstr("the order is the one under study")));
}

TEST(Verdict, OfARandomOrderWithThinStrataIsRefused) {
  RunShape shape;
  shape.sets = 8;  // at most one of the two orders can occur five times
  shape.has_control = false;
  const v1::Report report = ReportOf(MakeRun(shape, EqualArms));
  EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), ElementsAre("order-confounded"));
}

TEST(Verdict, OfRoundsInWhichOneArmIsAlwaysFirstIsRefused) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.order = v1::ORDER_FIXED;
  const v1::Report report = ReportOf(MakeRun(shape, SlowerBy(5'000)));
  EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), ElementsAre("order-confounded"));
  shape.order = v1::ORDER_RANDOM;
  EXPECT_EQ(ReportOf(MakeRun(shape, SlowerBy(5'000))).verdict(), v1::VERDICT_SLOWER);
}

TEST(Verdict, IsRefusedWhenTheControlDiffers) {
  const Model slow_control = [](const SampleContext& context) {
    return EqualArms(context) + (context.arm == "copy-control" ? 3'000 : 0);
  };
  const v1::Report report = ReportOf(MakeRun(RunShape(), slow_control));
  const v1::ReportComparison& comparison = report.comparisons(0);
  EXPECT_EQ(comparison.verdict(), v1::VERDICT_REFUSED);
  ASSERT_THAT(CodesOf(comparison.refusals()), ElementsAre("control-differs"));
  EXPECT_EQ(comparison.control().status(), v1::CHECK_STATUS_REFUSED);
  EXPECT_NEAR(comparison.control().test().confidence(), 0.99, 1e-12);
  EXPECT_NEAR(comparison.control().estimate().value_ns(), 3'000, 500);
  EXPECT_THAT(comparison.refusals(0).measured(), HasSubstr("with 99 % confidence"));
}

TEST(Verdict, TestsTheControlOverAllCellsTogether) {
  RunShape shape;
  shape.plans = {10, 40};
  const v1::Report report = ReportOf(MakeRun(shape, EqualArms));
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    EXPECT_EQ(comparison.control().status(), v1::CHECK_STATUS_PASSED);
    EXPECT_NEAR(comparison.control().test().confidence(), 1 - 0.01 / 2, 1e-12);
  }
}

TEST(Verdict, OfAHealthyRunShowsItsKnownDelay) {
  RunShape shape;
  shape.known_delay_ns = 5'000;
  const v1::KnownDelayResult delay =
      ReportOf(MakeRun(shape, EqualArms)).comparisons(0).known_delay();
  EXPECT_EQ(delay.status(), v1::CHECK_STATUS_PASSED);
  EXPECT_EQ(delay.asked_ns(), 5'000);
  EXPECT_EQ(delay.applied_ns(), 5'000);
  EXPECT_EQ(delay.worst_miss_ns(), 0);
  EXPECT_TRUE(delay.is_seen());
  EXPECT_TRUE(delay.is_contained());
}

TEST(Verdict, IsRefusedWhenADelayWasNotApplied) {
  RunShape shape;
  shape.known_delay_ns = 200'000;  // 1 % is 2 us
  const auto spoil = [](RunData* data, int64_t miss_ns) {
    for (v1::SampleBlock& block : data->trials[7].blocks) {
      for (int64_t& applied : *block.mutable_applied_ns()) {
        if (applied > 0) applied += miss_ns;
      }
    }
  };
  RunData data = MakeRun(shape, SlowerBy(5'000));
  spoil(&data, -1'900);
  EXPECT_EQ(ReportOf(data).verdict(), v1::VERDICT_SLOWER);
  spoil(&data, -200);
  const v1::ReportComparison comparison = ReportOf(data).comparisons(0);
  EXPECT_EQ(comparison.verdict(), v1::VERDICT_REFUSED);
  ASSERT_THAT(CodesOf(comparison.refusals()), ElementsAre("delay-not-applied"));
  EXPECT_THAT(comparison.refusals(0).measured(), HasSubstr("worst process off by -2.10 us"));
  EXPECT_EQ(comparison.known_delay().worst_miss_ns(), -2'100);

  for (TrialData& trial : data.trials) {
    for (v1::SampleBlock& block : trial.blocks) block.clear_applied_ns();
  }
  EXPECT_THAT(CodesOf(ReportOf(data).comparisons(0).refusals()), ElementsAre("delay-not-applied"));
}

TEST(Verdict, OnlySaysThatADelayWasNotSeen) {
  RunShape shape;
  shape.known_delay_ns = 10;
  const v1::Report report = ReportOf(MakeRun(shape, SlowerBy(5'000)));
  EXPECT_EQ(report.verdict(), v1::VERDICT_SLOWER);
  EXPECT_EQ(report.comparisons(0).known_delay().status(), v1::CHECK_STATUS_WARNED);
  EXPECT_FALSE(report.comparisons(0).known_delay().is_seen());
  EXPECT_THAT(report.warnings(), Contains(HasSubstr("a delay of 10.0 ns was not seen")));
}

TEST(Verdict, SaysWhichChecksHadNoArm) {
  RunShape shape;
  shape.has_control = false;
  const v1::ReportComparison comparison = ReportOf(MakeRun(shape, EqualArms)).comparisons(0);
  EXPECT_EQ(comparison.control().status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(comparison.known_delay().status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(comparison.smallest_visible().status(), v1::CHECK_STATUS_NOT_RUN);
}

TEST(Verdict, IsRefusedWhenTheClockIsTooCoarse) {
  RunData data = MakeRun(RunShape(), SlowerBy(5'000));
  // The set differences have a spread of 2.8 us; .7 of that is about 2 us.
  for (TrialData& trial : data.trials) ProcessOf(&trial)->set_clock_tick_ns(1'600);
  EXPECT_EQ(ReportOf(data).verdict(), v1::VERDICT_SLOWER);
  ProcessOf(&data.trials[0])->set_clock_tick_ns(2'400);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), ElementsAre("clock-too-coarse"));
  EXPECT_THAT(report.comparisons(0).refusals(0).measured(), HasSubstr("tick 2.40 us"));
}

TEST(Verdict, DividesTheTickByTheIterations) {
  RunShape shape;
  shape.iterations = 10;
  RunData data = MakeRun(shape, SlowerBy(5'000));
  for (TrialData& trial : data.trials) ProcessOf(&trial)->set_clock_tick_ns(2'400);
  EXPECT_EQ(ReportOf(data).verdict(), v1::VERDICT_SLOWER);
}

TEST(Verdict, IsRefusedWhenNothingVaries) {
  const Model constant = [](const SampleContext&) { return 1'000.0; };
  const v1::Report report = ReportOf(MakeRun(RunShape(), constant));
  EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), ElementsAre("clock-too-coarse"));
  EXPECT_EQ(report.comparisons(0).estimate().value_ns(), 0);
  EXPECT_FALSE(report.comparisons(0).estimate().has_low_ns());
}

TEST(Verdict, OfTwoProcessesIsRefusedWithoutAnInterval) {
  RunShape shape;
  shape.rounds = 2;
  const v1::ReportComparison comparison = ReportOf(MakeRun(shape, SlowerBy(5'000))).comparisons(0);
  EXPECT_EQ(comparison.verdict(), v1::VERDICT_REFUSED);
  EXPECT_THAT(CodesOf(comparison.refusals()), ElementsAre("too-few-processes"));
  EXPECT_EQ(comparison.refusals(0).measured(), "2 processes");
  EXPECT_TRUE(comparison.estimate().has_value_ns());
  EXPECT_FALSE(comparison.estimate().has_low_ns());
  EXPECT_FALSE(comparison.has_p_adjusted());
}

TEST(Verdict, OfThreeAndFourProcessesIsProvisional) {
  for (int processes : {3, 4, 5}) {
    RunShape shape;
    shape.rounds = processes;
    const v1::ReportComparison comparison =
        ReportOf(MakeRun(shape, SlowerBy(5'000))).comparisons(0);
    const bool is_provisional = processes < 5;
    EXPECT_EQ(comparison.verdict(), is_provisional ? v1::VERDICT_INCONCLUSIVE : v1::VERDICT_SLOWER);
    EXPECT_THAT(FlagsOf(comparison),
                is_provisional ? testing::Matcher<std::vector<std::string>>(Contains("provisional"))
                               : Not(Contains("provisional")));
    EXPECT_TRUE(comparison.estimate().has_low_ns());
  }
}

// The candidate is as fast as the baseline, but what follows it is 8 us slower.
double LeavesTheMachineCold(const SampleContext& context) {
  return EqualArms(context) + (context.previous == "rollback" ? 8'000 : 0);
}

TEST(Verdict, IsRefusedWhenCarryOverMakesIt) {
  RunShape shape;
  shape.has_control = false;
  shape.sets = 300;
  shape.subjects = {"copy", "rollback"};
  const v1::ReportComparison comparison =
      ReportOf(MakeRun(shape, LeavesTheMachineCold)).comparisons(0);
  EXPECT_LT(comparison.estimate().high_ns(), 0);  // paired: "faster" by half the carry-over
  EXPECT_NEAR(comparison.carry_over().effect().value_ns(), 8'000, 500);
  EXPECT_NEAR(comparison.carry_over().free_estimate().value_ns(), 0, 500);
  EXPECT_THAT(CodesOf(comparison.refusals()), ElementsAre("carry-over"));
  EXPECT_THAT(FlagsOf(comparison), Contains("carry-over"));
}

TEST(Verdict, StandsWhenItIsTheSameWithoutCarryOver) {
  RunShape shape;
  shape.has_control = false;
  shape.sets = 300;
  const Model model = [](const SampleContext& context) {
    return LeavesTheMachineCold(context) + (context.arm == "rollback" ? 50'000 : 0);
  };
  const v1::ReportComparison comparison = ReportOf(MakeRun(shape, model)).comparisons(0);
  EXPECT_EQ(comparison.verdict(), v1::VERDICT_SLOWER);
  EXPECT_THAT(FlagsOf(comparison), Contains("carry-over"));
  EXPECT_NEAR(comparison.carry_over().free_estimate().value_ns(), 50'000, 500);
}

TEST(Verdict, OfABalancedOrderIsFreeOfCarryOver) {
  RunShape shape;
  shape.order = v1::ORDER_BALANCED;
  shape.has_control = false;
  shape.sets = 300;
  const v1::ReportComparison comparison =
      ReportOf(MakeRun(shape, LeavesTheMachineCold)).comparisons(0);
  EXPECT_EQ(comparison.verdict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_NEAR(comparison.estimate().value_ns(), 0, 500);
  EXPECT_FALSE(comparison.has_positive_share());
  EXPECT_NEAR(comparison.carry_over().effect().value_ns(), 8'000, 500);
}

TEST(Verdict, SaysSoWhenCarryOverCannotBeEstimated) {
  RunShape shape;
  shape.sets = 20;  // 1.7 first samples of each kind
  const v1::CarryOver carry = ReportOf(MakeRun(shape, EqualArms)).comparisons(0).carry_over();
  EXPECT_EQ(carry.status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_THAT(carry.text(), HasSubstr("of at least 3 have 5 first samples"));
}

TEST(Verdict, IsRegressionOrImprovementUnderAGate) {
  RunShape shape;
  shape.purpose = v1::PURPOSE_GATE;
  const struct {
    double effect_ns;
    v1::Verdict verdict;
    int exit_code;
  } kCases[] = {{5'000, v1::VERDICT_REGRESSION, 1},
                {-5'000, v1::VERDICT_IMPROVEMENT, 0},
                {0, v1::VERDICT_INCONCLUSIVE, 2}};
  for (const auto& test : kCases) {
    const v1::Report report = ReportOf(MakeRun(shape, SlowerBy(test.effect_ns)));
    EXPECT_EQ(report.verdict(), test.verdict);
    EXPECT_EQ(report.exit_code(), test.exit_code);
  }
}

TEST(Verdict, OfAnEstimateOnlyFailsWhenRefused) {
  const struct {
    double effect_ns;
    v1::Verdict verdict;
    const char* sentence;
  } kCases[] = {{5'000, v1::VERDICT_SLOWER, "'rollback' is slower than 'copy' by"},
                {-5'000, v1::VERDICT_FASTER, "'rollback' is faster than 'copy' by"},
                {0, v1::VERDICT_INCONCLUSIVE, "no difference is shown between"}};
  for (const auto& test : kCases) {
    const v1::Report report = ReportOf(MakeRun(RunShape(), SlowerBy(test.effect_ns)));
    EXPECT_EQ(report.verdict(), test.verdict);
    EXPECT_EQ(report.exit_code(), 0);
    EXPECT_THAT(report.comparisons(0).sentence(), HasSubstr(test.sentence));
  }
}

TEST(Verdict, OfManyComparisonsSharesOneErrorRate) {
  // Three cells; only in the first is there anything, and too little for three.
  RunShape shape;
  shape.plans = {10, 40, 120};
  shape.rounds = 6;
  v1::Report together;
  const auto effect = [](double effect_ns) -> Model {
    return [effect_ns](const SampleContext& context) {
      return EqualArms(context) + (context.cell == 0 && context.arm == "rollback" ? effect_ns : 0);
    };
  };
  bool was_found = false;
  for (double effect_ns = 100; effect_ns < 2'000 && !was_found; effect_ns += 50) {
    together = ReportOf(MakeRun(shape, effect(effect_ns)));
    const v1::ReportComparison& first = together.comparisons(0);
    was_found = first.verdict() == v1::VERDICT_INCONCLUSIVE && first.estimate().low_ns() > 0;
  }
  ASSERT_TRUE(was_found);
  EXPECT_GT(together.comparisons(0).p_adjusted(), 0.05);
  EXPECT_THAT(together.comparisons(0).sentence(), HasSubstr("not among 3 comparisons together"));
}

TEST(Verdict, OfTheRunIsTheWorstOfItsComparisons) {
  RunShape shape;
  shape.plans = {10, 40, 120};
  shape.seed = 3;
  const auto run = [&shape](double first, double second, double third) {
    return ReportOf(MakeRun(shape,
                            [=](const SampleContext& context) {
                              const double effects[] = {first, second, third};
                              return EqualArms(context) +
                                     (context.arm == "rollback" ? effects[context.cell] : 0);
                            }))
        .verdict();
  };
  EXPECT_EQ(run(-5'000, 0, 5'000), v1::VERDICT_SLOWER);
  EXPECT_EQ(run(-5'000, 0, -5'000), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(run(-5'000, -5'000, -5'000), v1::VERDICT_FASTER);
}

TEST(Verdict, OfTheRunPutsARefusalBelowARegression) {
  RunShape shape;
  shape.plans = {10, 40};
  const auto run = [&shape](double effect_ns) {
    return ReportOf(MakeRun(shape,
                            [=](const SampleContext& context) {
                              const bool is_slow = context.cell == 0 ? context.arm == "copy-control"
                                                                     : context.arm == "rollback";
                              const double shift_ns = context.cell == 0 ? 5'000 : effect_ns;
                              return EqualArms(context) + (is_slow ? shift_ns : 0);
                            }))
        .verdict();
  };
  EXPECT_EQ(run(5'000), v1::VERDICT_SLOWER);
  EXPECT_EQ(run(0), v1::VERDICT_REFUSED);
}

TEST(Verdict, OfOneArmComparesItWithItsControl) {
  RunShape shape;
  shape.subjects = {"copy"};
  const v1::Report report = ReportOf(MakeRun(shape, EqualArms));
  ASSERT_EQ(report.comparisons_size(), 1);
  EXPECT_EQ(report.comparisons(0).candidate(), "copy-control");
  EXPECT_EQ(report.verdict(), v1::VERDICT_INCONCLUSIVE);
}

TEST(Verdict, OfRoundsRestsOnTheRatio) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.sets = 1;
  shape.warmup_sets = 0;
  shape.rounds = 30;
  const Model model = [](const SampleContext& context) {
    // The rounds differ by a factor of ten, the arms by 5 %.
    const double level_ns = context.round % 2 == 0 ? 100'000 : 1'000'000;
    return level_ns * (1 + 0.01 * context.random->Normal()) *
           (context.arm == "rollback" ? 1.05 : 1);
  };
  const v1::Report report = ReportOf(MakeRun(shape, model));
  const v1::ReportComparison& comparison = report.comparisons(0);
  EXPECT_EQ(comparison.verdict(), v1::VERDICT_SLOWER);
  EXPECT_NEAR(comparison.ratio().value(), 1.05, 0.01);
  EXPECT_GT(comparison.ratio().low(), 1.03);
  EXPECT_NEAR(comparison.estimate().value_ns(), 27'500, 4'000);  // the mean of B - A
  EXPECT_EQ(comparison.processes(), 30);
  EXPECT_FALSE(comparison.has_positive_share());
  EXPECT_EQ(comparison.carry_over().status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(comparison.control().status(), v1::CHECK_STATUS_PASSED);
  EXPECT_THAT(comparison.sentence(), HasSubstr("slower than 'copy' by +"));
  const v1::SmallestVisible& visible = comparison.smallest_visible();
  EXPECT_NEAR(visible.relative(), visible.value_ns() / comparison.baseline_median_ns(), 1e-9);
  EXPECT_LT(visible.relative(), 0.02);
}

TEST(Verdict, WarnsWhenRoundsDependOnEachOther) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.rounds = 30;
  const Model drift = [](const SampleContext& context) {
    return EqualArms(context) + (context.arm == "rollback" ? 1'000.0 * context.round : 0);
  };
  EXPECT_THAT(ReportOf(MakeRun(shape, drift)).warnings(),
              Contains(HasSubstr("depend on each other")));
}

TEST(Verdict, IsTheSameForTrialsInAnyOrder) {
  const RunData data = MakeRun(RunShape(), SlowerBy(1'000));
  RunData reversed = data;
  std::reverse(reversed.trials.begin(), reversed.trials.end());
  v1::Report a = ReportOf(data);
  v1::Report b = ReportOf(reversed);
  EXPECT_EQ(a.comparisons(0).SerializeAsString(), b.comparisons(0).SerializeAsString());
}

}  // namespace
}  // namespace tare::coordinator
