// Row 17: ladders. What is found of delays whose size is known, and what other methods would say.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/ladder_run.h"
#include "tests/analysis/report_matchers.h"

namespace tare::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Ladder, StatesWhatItFoundOfEveryDelay) {
  const v1::Report report = ReportOf(MakeLadderRun({}));
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_EQ(report.verdict(), v1::VERDICT_STATED);
  EXPECT_EQ(report.exit_code(), 0);
  EXPECT_THAT(report.comparisons(), IsEmpty());
  const v1::LadderReport& ladder = report.ladder();
  EXPECT_EQ(ladder.arm(), "preview");
  EXPECT_EQ(ladder.passes(), 2);
  EXPECT_EQ(ladder.replicates(), 10);
  ASSERT_THAT(ladder.rungs(), SizeIs(5));
  const v1::Rung& rung = ladder.rungs(3);
  EXPECT_EQ(rung.asked_ns(), 100'000);
  EXPECT_EQ(rung.applied_ns(), 100'000);
  EXPECT_NEAR(rung.estimate().value_ns(), 100'000, 500);
  EXPECT_TRUE(rung.is_seen());
  EXPECT_TRUE(rung.is_contained());
  EXPECT_EQ(rung.processes(), 10);
  EXPECT_EQ(rung.processes_seeing(), 10);
  EXPECT_NEAR(rung.seeing_share_low(), std::pow(0.05, 0.1), 1e-9);
  EXPECT_NEAR(rung.plain_ns(), 109'000, 1'000);
  EXPECT_NEAR(rung.delayed_ns(), 209'000, 1'000);
  EXPECT_GT(rung.correlation(), 0.99);
  EXPECT_THAT(rung.process_estimates_ns(), SizeIs(10));
  EXPECT_FALSE(ladder.rungs(0).is_seen());
  EXPECT_EQ(ladder.rungs(0).applied_ns(), 0);
}

TEST(Ladder, HasASlopeOfOneWhereADelayCostsWhatItTakes) {
  const v1::LadderReport ladder = ReportOf(MakeLadderRun({})).ladder();
  EXPECT_NEAR(ladder.slope(), 1, 0.005);
  EXPECT_TRUE(ladder.is_slope_one());
  EXPECT_THAT(ladder.slopes(), SizeIs(10));
  EXPECT_THAT(ladder.pass_slopes(), SizeIs(2));
}

TEST(Ladder, SaysThatADelayComesOutShort) {
  const v1::Report report = ReportOf(MakeLadderRun({.response = 0.978}));
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_NEAR(report.ladder().slope(), 0.978, 0.005);
  EXPECT_FALSE(report.ladder().is_slope_one());
  EXPECT_FALSE(report.ladder().rungs(4).is_contained());
  EXPECT_THAT(report.ladder().texts(0), HasSubstr("differs from 1"));
}

TEST(Ladder, MeasuresWhatADelayDoesToTheNextOperation) {
  const v1::LadderReport ladder =
      ReportOf(MakeLadderRun({.sets = 200, .carry_over = 0.02})).ladder();
  EXPECT_NEAR(ladder.carry_over(), 0.02, 0.005);
  EXPECT_GT(ladder.carry_over_low(), 0);
  EXPECT_NEAR(ladder.rungs(4).carry_over().value_ns(), 10'000, 2'000);
  // Of permuted blocks: the paired difference is short by about a quarter of it.
  EXPECT_LT(ladder.slope(), 0.999);
}

TEST(Ladder, IsRefusedWhereEqualArmsDiffer) {
  const v1::Report report = ReportOf(MakeLadderRun({.base_difference_ns = 3'000}));
  EXPECT_THAT(CodesOf(report.refusals()), ElementsAre("control-differs"));
  EXPECT_EQ(report.refusals(0).where(), "delay=0");
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  EXPECT_EQ(report.exit_code(), 3);
  EXPECT_TRUE(report.ladder().has_slope());
}

TEST(Ladder, IsRefusedWhereTheLongestDelayIsNotSeen) {
  const v1::Report report =
      ReportOf(MakeLadderRun({.delays_ns = {0, 100, 200}, .process_spread_ns = 5'000, .seed = 4}));
  EXPECT_THAT(CodesOf(report.refusals()), ElementsAre("known-delay-not-seen"));
}

TEST(Ladder, IsRefusedWhereADelayWasNotApplied) {
  RunData data = MakeLadderRun({});
  for (TrialData& trial : data.trials) {
    if (data.plan.trials(trial.trial).cell() != 2) continue;
    for (v1::SampleBlock& block : trial.blocks) {
      for (int64_t& applied : *block.mutable_applied_ns()) applied -= applied / 10;
    }
    break;
  }
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), ElementsAre("delay-not-applied"));
  EXPECT_EQ(report.refusals(0).where(), "delay=25us");
}

TEST(Ladder, IsRefusedWithTwoProcessesARung) {
  const v1::Report report = ReportOf(MakeLadderRun({.rounds_per_pass = 2, .passes = 1}));
  EXPECT_THAT(CodesOf(report.refusals()), ElementsAre("too-few-processes"));
  EXPECT_FALSE(report.ladder().has_slope_low());
  EXPECT_FALSE(report.ladder().rungs(1).estimate().has_low_ns());
}

TEST(Ladder, TellsTheSmallestVisibleEffectTwice) {
  const v1::LadderReport ladder =
      ReportOf(MakeLadderRun({.process_spread_ns = 2'000, .seed = 9})).ladder();
  ASSERT_TRUE(ladder.visible().has_value_ns());
  ASSERT_TRUE(ladder.visible_from_rungs().has_value_ns());
  // k80 u sd of ten processes, whose sd is 2 us and some noise of the samples.
  EXPECT_NEAR(ladder.visible_from_rungs().value_ns(), 0.996 * 1.29 * 2'050, 700);
  EXPECT_GT(ladder.visible().value_ns_95(), ladder.visible().value_ns());
  EXPECT_TRUE(ladder.is_visible_agreed());
}

TEST(Ladder, DoesNotTellItFromFewerThanEightProcesses) {
  const v1::LadderReport ladder =
      ReportOf(MakeLadderRun({.rounds_per_pass = 7, .passes = 1})).ladder();
  EXPECT_EQ(ladder.visible().status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_THAT(ladder.visible().text(), HasSubstr("at least 8"));
  EXPECT_FALSE(ladder.has_is_visible_agreed());
}

TEST(Ladder, ShowsHowNarrowPooledPairsAre) {
  const v1::LadderReport ladder =
      ReportOf(MakeLadderRun({.process_spread_ns = 3'000, .seed = 2})).ladder();
  for (const v1::Rung& rung : ladder.rungs()) {
    const double honest = rung.estimate().high_ns() - rung.estimate().low_ns();
    const double pooled = rung.pooled().high_ns() - rung.pooled().low_ns();
    EXPECT_LT(pooled, honest / 2) << rung.asked_ns();
  }
}

TEST(Ladder, ShowsWhatTwoSeparateProcessesWouldHaveSaid) {
  const v1::LadderReport ladder = ReportOf(MakeLadderRun({})).ladder();
  // Processes lie up to 20 us apart: a delay of 5 us is lost in that, one of 100 us is not.
  const v1::Rung& small = ladder.rungs(1);
  EXPECT_EQ(small.separate_pairs(), 90);
  EXPECT_NEAR(small.separate_low_ns(), -15'000, 1'500);
  EXPECT_NEAR(small.separate_high_ns(), 25'000, 1'500);
  EXPECT_GT(small.separate_positive_share(), 0.4);
  EXPECT_LT(small.separate_positive_share(), 0.9);
  EXPECT_EQ(ladder.rungs(3).separate_positive_share(), 1);
}

TEST(Ladder, ShowsWhatStudiedOrdersWouldHaveSaid) {
  const v1::Report report = ReportOf(MakeLadderRun(
      {.studied = {v1::ORDER_FIXED, v1::ORDER_BLOCKED}, .position_effect_ns = -7'000}));
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  const v1::LadderReport& ladder = report.ladder();
  EXPECT_THAT(ladder.rungs(0).process_estimates_ns(), SizeIs(10));
  ASSERT_THAT(ladder.studied_orders(), SizeIs(2));
  const v1::StudiedOrder& fixed = ladder.studied_orders(0);
  EXPECT_EQ(fixed.order(), v1::ORDER_FIXED);
  ASSERT_THAT(fixed.rungs(), SizeIs(5));
  // The delayed arm always comes second.
  EXPECT_NEAR(fixed.rungs(0).estimate().value_ns(), -7'000, 500);
  EXPECT_EQ(fixed.rungs(0).processes_wrong(), 10);
  EXPECT_FALSE(fixed.rungs(0).is_contained());
  EXPECT_TRUE(ladder.rungs(0).is_contained());
}

TEST(Ladder, LeavesUnfinishedRoundsOut) {
  RunData data = MakeLadderRun({});
  data.is_cancelled = true;
  data.trials.pop_back();
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.ladder().replicates(), 9);
  EXPECT_EQ(report.ladder().passes(), 1);
  EXPECT_THAT(report.ladder().rungs(0).process_estimates_ns(), SizeIs(9));
}

}  // namespace
}  // namespace tare::coordinator
