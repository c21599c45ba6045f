// A pilot read from a run: its spreads, and what a process and a set took.

#include "coordinator/cli/pilot.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using testing::HasSubstr;

// Trials of 1 s each, as the builder makes them; every block but the warm-up takes `timed_ns`.
RunData TimedRun(const RunShape& shape, int64_t timed_ns) {
  RunData data = MakeRun(shape, SlowerBy(3000));
  for (TrialData& trial : data.trials) {
    for (v1::SampleBlock& block : trial.blocks) {
      block.mutable_evidence()->set_duration_ns(block.is_warmup() ? 50'000'000 : timed_ns);
    }
  }
  return data;
}

TEST(Pilot, TellsCostsAndSpreads) {
  RunShape shape;
  shape.sets = 100;  // 300 samples in blocks of 100
  const RunData data = TimedRun(shape, 200'000'000);
  const v1::Report report = ReportOf(data);
  const Pilot pilot = ReadPilot(data, report).value();
  EXPECT_NEAR(pilot.cost.unit_ns, 0.4e9, 1);
  EXPECT_NEAR(pilot.cost.set_ns, 0.6e9 / 100, 1);
  ASSERT_EQ(pilot.spreads.size(), 1u);
  const PilotSpread& spread = pilot.spreads[0];
  EXPECT_EQ(spread.comparison, "'copy' / 'rollback'");
  EXPECT_EQ(spread.units, 10u);
  const v1::ReportComparison& comparison = report.comparisons(0);
  EXPECT_DOUBLE_EQ(spread.baseline_ns, comparison.baseline_median_ns());
  const double set_sd = comparison.variance_components(0).sd_ns();
  EXPECT_DOUBLE_EQ(spread.set_variance_ns2.value(), set_sd * set_sd);
  EXPECT_EQ(pilot.refusal, "");
}

TEST(Pilot, CountsAllTrialsOfARound) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.plans = {10, 40};
  shape.sets = 50;
  const RunData data = TimedRun(shape, 250'000'000);
  const Pilot pilot = ReadPilot(data, ReportOf(data)).value();
  // Two cells of three arms: six trials a round.
  EXPECT_NEAR(pilot.cost.unit_ns, 6 * 0.75e9, 1);
  EXPECT_NEAR(pilot.cost.set_ns, 6 * 0.25e9 / 50, 1);
  EXPECT_EQ(pilot.spreads.size(), 2u);
}

TEST(Pilot, WithoutEvidenceTakesTheSamples) {
  RunShape shape;
  shape.sets = 100;
  const RunData data = MakeRun(shape, EqualArms);
  const Pilot pilot = ReadPilot(data, ReportOf(data)).value();
  EXPECT_NEAR(pilot.cost.set_ns, 3 * 110e3, 10e3);
}

TEST(Pilot, ThatIsNoneSaysWhy) {
  RunData data = TimedRun(RunShape(), 100'000'000);
  for (TrialData& trial : data.trials) {
    trial.record.mutable_machine()->set_machine_id(trial.trial % 5 == 0 ? "a" : "b");
  }
  data.experiment.mutable_design()->set_scope(v1::SCOPE_HOSTS);
  const auto hosts = ReadPilot(data, ReportOf(data));
  EXPECT_EQ(hosts.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(hosts.status().message(), HasSubstr("it asks about hosts"));

  RunShape one;
  one.rounds = 1;
  const RunData single = TimedRun(one, 100'000'000);
  EXPECT_FALSE(ReadPilot(single, ReportOf(single)).ok());

  RunData timeless = MakeRun(RunShape(), EqualArms);
  for (TrialData& trial : timeless.trials) {
    trial.record.set_ended_unix_ns(trial.record.started_unix_ns());
  }
  EXPECT_FALSE(ReadPilot(timeless, ReportOf(timeless)).ok());
}

}  // namespace
}  // namespace tare::coordinator
