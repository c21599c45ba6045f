// Designs by rounds: the spread of the rounds, and what other gates would have said of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

RunShape LongRounds() {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.sets = 60;
  shape.warmup_sets = 20;
  return shape;
}

TEST(RoundSpread, HasOneNumberAProcess) {
  // Every sample of round r takes 100 us + 10 us × (r mod 3), the candidate a fifth more.
  const v1::Report report = ReportOf(MakeRun(LongRounds(), [](const SampleContext& context) {
    const double ns = 100'000 + 10'000 * (context.round % 3) + (context.is_warmup ? 500'000 : 0);
    return context.arm == "rollback" ? 1.2 * ns : ns;
  }));
  ASSERT_EQ(report.round_spreads_size(), 1);
  const v1::RoundSpread& spread = report.round_spreads(0);
  EXPECT_EQ(spread.metric(), "latency");
  EXPECT_EQ(spread.baseline(), "copy");
  EXPECT_EQ(spread.rounds(), 10);
  EXPECT_EQ(spread.baseline_values().min(), 100'000);
  EXPECT_EQ(spread.baseline_values().median(), 110'000);
  EXPECT_EQ(spread.baseline_values().max(), 120'000);
  EXPECT_DOUBLE_EQ(spread.baseline_values().factor(), 1.2);
  ASSERT_EQ(spread.ratios_size(), 2);
  EXPECT_EQ(spread.ratios(0).arm(), "rollback");
  EXPECT_DOUBLE_EQ(spread.ratios(0).spread().median(), 1.2);
  EXPECT_EQ(spread.ratios(1).arm(), "copy-control");
  EXPECT_DOUBLE_EQ(spread.ratios(1).spread().factor(), 1);
}

TEST(RoundSpread, IsOfTheMetricsThatWereAsked) {
  RunShape shape = LongRounds();
  shape.sets = 400;
  RunData data = MakeRun(shape, EqualArms);
  data.experiment.add_metrics(v1::METRIC_P95);
  data.experiment.add_metrics(v1::METRIC_P99);
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.round_spreads_size(), 1) << "4 samples above the p99 are too few";
  EXPECT_EQ(report.round_spreads(0).metric(), "p95");
  EXPECT_GT(report.round_spreads(0).baseline_values().min(), 102'000);
}

TEST(RoundSpread, IsAbsentWhereProcessesTakeFewSamples) {
  RunShape shape = LongRounds();
  shape.sets = 19;
  const v1::Report report = ReportOf(MakeRun(shape, EqualArms));
  EXPECT_THAT(report.round_spreads(), IsEmpty());
  EXPECT_THAT(report.decision_scans(), IsEmpty());
}

TEST(DecisionScan, SaysWhatOtherGatesWouldHaveDecided) {
  const v1::Report report = ReportOf(MakeRun(LongRounds(), SlowerBy(8'000)));
  ASSERT_EQ(report.decision_scans_size(), 1);
  const v1::DecisionScan& scan = report.decision_scans(0);
  EXPECT_EQ(scan.control(), "copy-control");
  EXPECT_EQ(scan.rounds(), 10);
  EXPECT_EQ(scan.subsets(), 500);
  EXPECT_THAT(scan.thresholds(), ElementsAre(0.02, 0.05, 0.1, 0.2));
  ASSERT_EQ(scan.rows_size(), 3);
  EXPECT_EQ(scan.rows(0).rounds(), 5);
  EXPECT_EQ(scan.rows(0).skipped_samples(), 20);
  EXPECT_EQ(scan.rows(0).independent(), 2);
  EXPECT_EQ(scan.rows(1).rounds(), 8);
  EXPECT_EQ(scan.rows(1).independent(), 1);
  EXPECT_EQ(scan.rows(2).rounds(), 8) << "and once with the warm-up";
  EXPECT_EQ(scan.rows(2).skipped_samples(), 0);
  // 7 % slower: it may pass at 10 % and 20 %, and not below.
  const v1::DecisionScanRow& eight = scan.rows(1);
  ASSERT_EQ(eight.cells_size(), 4);
  EXPECT_EQ(eight.cells(0).false_fails(), 0);
  EXPECT_EQ(eight.cells(1).false_passes(), 0);
  EXPECT_EQ(eight.cells(2).false_passes(), 500);
  EXPECT_NEAR(eight.cells(0).false_fail_rate_max(), 0.95, 1e-9) << "one decision excludes little";
}

TEST(DecisionScan, IsAroundTheThresholdOfTheExperiment) {
  RunData data = MakeRun(LongRounds(), EqualArms);
  data.experiment.mutable_threshold()->set_relative_ppm(30'000);
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.decision_scans_size(), 1);
  EXPECT_THAT(report.decision_scans(0).thresholds(), ElementsAre(0.015, 0.03, 0.06, 0.12));
}

TEST(DecisionScan, IsTheSameEachTime) {
  const RunData data = MakeRun(LongRounds(), SlowerBy(5'000));
  EXPECT_EQ(ReportOf(data).SerializeAsString(), ReportOf(data).SerializeAsString());
}

TEST(DecisionScan, NeedsAControlAndMoreRoundsThanItDraws) {
  RunShape shape = LongRounds();
  shape.has_control = false;
  EXPECT_THAT(ReportOf(MakeRun(shape, EqualArms)).decision_scans(), IsEmpty());
  shape.has_control = true;
  shape.rounds = 5;
  EXPECT_THAT(ReportOf(MakeRun(shape, EqualArms)).decision_scans(), IsEmpty());
  shape.rounds = 6;
  RunData data = MakeRun(shape, EqualArms);
  EXPECT_EQ(ReportOf(data).decision_scans_size(), 1);
  data.is_final = false;
  EXPECT_THAT(ReportOf(data).decision_scans(), IsEmpty());
}

}  // namespace
}  // namespace tare::coordinator
