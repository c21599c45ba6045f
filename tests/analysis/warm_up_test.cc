// Designs by rounds: the table of blocks, and row 6, whether the difference still moved.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

RunShape LongRounds() {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.sets = 600;
  shape.warmup_sets = 100;
  return shape;
}

// The candidate's samples move in the course of its process, by `by_ns` from the first to the last.
Model Drifting(double by_ns) {
  return [by_ns, count = 0](const SampleContext& context) mutable {
    const double place = count++ % 700 / 700.0;
    return EqualArms(context) + (context.arm == "rollback" ? by_ns * place : 0);
  };
}

const v1::WarmUpTable& OnlyTable(const v1::Report& report) {
  EXPECT_EQ(report.warm_up_tables_size(), 1);
  return report.warm_up_tables_size() == 1 ? report.warm_up_tables(0)
                                           : v1::WarmUpTable::default_instance();
}

TEST(WarmUp, PoolsBlocksOfAllRoundsByArm) {
  const v1::Report report = ReportOf(MakeRun(LongRounds(), [](const SampleContext& context) {
    return EqualArms(context) + (context.is_warmup ? 900'000 : 0);
  }));
  const v1::WarmUpTable& table = OnlyTable(report);
  EXPECT_THAT(table.arms(), ElementsAre("copy", "rollback", "copy-control"));
  EXPECT_EQ(table.samples_per_block(), 100);
  EXPECT_EQ(table.warmup_samples(), 100);
  ASSERT_EQ(table.blocks_size(), 7);
  EXPECT_EQ(table.blocks(6).first(), 600);
  EXPECT_EQ(table.blocks(6).last(), 699);
  const v1::WarmUpArm& warming = table.blocks(0).arms(2);
  EXPECT_EQ(warming.samples_count(), 1000);
  EXPECT_NEAR(warming.median_ns(), 1'010'000, 3'000);
  EXPECT_NEAR(table.blocks(1).arms(2).median_ns(), 109'000, 3'000);
  EXPECT_GT(table.blocks(1).arms(2).p95_ns(), table.blocks(1).arms(2).median_ns());
}

TEST(WarmUp, TellsNoTailThatFewSamplesMake) {
  RunShape shape = LongRounds();
  shape.rounds = 5;
  shape.sets = 50;
  shape.warmup_sets = 0;
  const v1::WarmUpTable table = OnlyTable(ReportOf(MakeRun(shape, EqualArms)));
  ASSERT_GT(table.blocks_size(), 0);
  EXPECT_EQ(table.blocks(0).arms(0).samples_count(), 100);
  EXPECT_TRUE(table.blocks(0).arms(0).has_median_ns());
  EXPECT_FALSE(table.blocks(0).arms(0).has_p95_ns());
}

TEST(WarmUp, IsNotLookedAtWhereProcessesTakeFewSamples) {
  RunShape shape = LongRounds();
  shape.sets = 19;
  for (const v1::Pairing pairing : {v1::PAIRING_ROUNDS, v1::PAIRING_IN_PROCESS}) {
    shape.pairing = pairing;
    const v1::Report report = ReportOf(MakeRun(shape, EqualArms));
    EXPECT_THAT(report.warm_up_tables(), IsEmpty());
    EXPECT_EQ(IntegrityOf(report, "not-steady").status(), v1::CHECK_STATUS_NOT_RUN);
  }
}

TEST(WarmUp, PassesWhereTheDifferenceStays) {
  const v1::Report report = ReportOf(MakeRun(LongRounds(), SlowerBy(20'000)));
  const v1::Steadiness& steadiness = OnlyTable(report).steadiness(0);
  EXPECT_EQ(steadiness.status(), v1::CHECK_STATUS_PASSED) << steadiness.text();
  EXPECT_EQ(steadiness.blocks_count(), 30);
  EXPECT_EQ(IntegrityOf(report, "not-steady").status(), v1::CHECK_STATUS_PASSED);
  EXPECT_EQ(report.comparisons(0).verdict(), v1::VERDICT_SLOWER);
}

TEST(WarmUp, RefusesAComparisonWhoseDifferenceMoves) {
  const v1::Report report = ReportOf(MakeRun(LongRounds(), Drifting(30'000)));
  EXPECT_EQ(OnlyTable(report).steadiness(0).status(), v1::CHECK_STATUS_REFUSED);
  EXPECT_EQ(IntegrityOf(report, "not-steady").status(), v1::CHECK_STATUS_REFUSED);
  EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), ElementsAre("not-steady"));
  EXPECT_EQ(report.comparisons(0).verdict(), v1::VERDICT_REFUSED);
  EXPECT_EQ(report.exit_code(), 3);
}

TEST(WarmUp, WarnsWhereItCannotTell) {
  RunShape shape = LongRounds();
  shape.sets = 380;  // 19 blocks
  const v1::Report report = ReportOf(MakeRun(shape, SlowerBy(20'000)));
  EXPECT_EQ(OnlyTable(report).steadiness(0).status(), v1::CHECK_STATUS_WARNED);
  EXPECT_EQ(IntegrityOf(report, "not-steady").status(), v1::CHECK_STATUS_WARNED);
  EXPECT_THAT(report.comparisons(0).refusals(), IsEmpty());
  EXPECT_THAT(IntegrityOf(report, "not-steady").text(), HasSubstr("19 blocks"));
}

TEST(WarmUp, JudgesArmsThatWarmUpAlikeByTheirDifference) {
  const v1::Report report =
      ReportOf(MakeRun(LongRounds(), [count = 0](const SampleContext& context) mutable {
        const double place = count++ % 700 / 700.0;
        return EqualArms(context) * (1 + 0.3 * std::exp(-5 * place));
      }));
  EXPECT_THAT(CodesOf(report.comparisons(0).refusals()), Not(Contains("not-steady")));
}

}  // namespace
}  // namespace tare::coordinator
