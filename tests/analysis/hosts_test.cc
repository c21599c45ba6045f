// Units of several hosts: what the interval is about, and where the spread arises.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "coordinator/analysis/estimate.h"
#include "stats/t_interval.h"
#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Rounds take the hosts in turn; on each host the candidate is slower by that host's part.
RunData RunOnHosts(RunShape shape, const std::vector<double>& effects_ns) {
  const auto hosts = static_cast<int>(effects_ns.size());
  RunData data = MakeRun(shape, [&](const SampleContext& context) {
    const double effect = effects_ns[static_cast<size_t>(context.round % hosts)];
    // Processes differ too: by 0, 100, 200 and so on.
    return EqualArms(context) +
           (context.arm == "rollback" ? effect + 100.0 * (context.round / hosts) : 0);
  });
  for (TrialData& trial : data.trials) {
    const int round = data.plan.trials(trial.trial).round();
    trial.record.mutable_machine()->set_host("lab");
    trial.record.mutable_machine()->set_machine_id(std::string(1, "abcdef"[round % hosts]));
  }
  return data;
}

struct ByHand {
  double within_sd = 0;
  double mean = 0;
  std::vector<double> host_means;
};

ByHand ComputeByHand(const v1::ReportComparison& report, int hosts) {
  ByHand result;
  const int units = report.process_estimates_ns_size();
  for (int h = 0; h < hosts; ++h) {
    double sum = 0;
    for (int i = h; i < units; i += hosts) sum += report.process_estimates_ns(i);
    result.host_means.push_back(sum / (units / hosts));
    result.mean += result.host_means.back() / hosts;
  }
  double squares = 0;
  for (int i = 0; i < units; ++i) {
    const double gap =
        report.process_estimates_ns(i) - result.host_means[static_cast<size_t>(i % hosts)];
    squares += gap * gap;
  }
  result.within_sd = std::sqrt(squares / (units - hosts));
  return result;
}

TEST(Hosts, TakenAsTheyAreCountTheSpreadInsideThem) {
  RunShape shape;
  shape.rounds = 15;
  const v1::ReportComparison report =
      ReportOf(RunOnHosts(shape, {1000, 5000, 9000})).comparisons(0);
  const ByHand by_hand = ComputeByHand(report, 3);
  const double half = stats::TQuantile(0.975, 12) * by_hand.within_sd / std::sqrt(15.0);
  EXPECT_NEAR(report.estimate().value_ns(), by_hand.mean, 1e-6);
  EXPECT_NEAR(report.estimate().low_ns(), by_hand.mean - half, 1e-6);
  EXPECT_NEAR(report.estimate().high_ns(), by_hand.mean + half, 1e-6);
  EXPECT_EQ(report.unit_of_inference(), "process");
  EXPECT_EQ(report.verdict(), v1::VERDICT_SLOWER);
  EXPECT_FALSE(report.has_hodges_lehmann());
  EXPECT_LT(report.p_adjusted(), 1e-9);
}

TEST(Hosts, AsASampleOfHostsAreOneValueEach) {
  RunShape shape;
  shape.rounds = 15;
  RunData data = RunOnHosts(shape, {1000, 5000, 9000, 3000, 7000});
  data.experiment.mutable_design()->set_scope(v1::SCOPE_HOSTS);
  const v1::ReportComparison report = ReportOf(data).comparisons(0);
  const ByHand by_hand = ComputeByHand(report, 5);
  const stats::Interval expected = stats::TInterval(by_hand.host_means, 0.95).value();
  EXPECT_NEAR(report.estimate().value_ns(), expected.value, 1e-6);
  EXPECT_NEAR(report.estimate().low_ns(), expected.low, 1e-6);
  EXPECT_NEAR(report.estimate().high_ns(), expected.high, 1e-6);
  EXPECT_EQ(report.unit_of_inference(), "host");
  EXPECT_EQ(report.verdict(), v1::VERDICT_SLOWER);
  EXPECT_THAT(FlagsOf(report), Not(Contains("provisional")));
}

TEST(Hosts, ThreeOfThemGiveAProvisionalInterval) {
  RunShape shape;
  shape.rounds = 15;
  RunData data = RunOnHosts(shape, {5000, 5100, 5200});
  data.experiment.mutable_design()->set_scope(v1::SCOPE_HOSTS);
  const v1::ReportComparison report = ReportOf(data).comparisons(0);
  EXPECT_TRUE(report.estimate().has_low_ns());
  EXPECT_EQ(report.verdict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_THAT(FlagsOf(report), Contains("provisional"));
  EXPECT_THAT(report.sentence(), HasSubstr("3 hosts give only a provisional interval"));
}

TEST(Hosts, TwoOfThemAreTooFewToSpeakForOthers) {
  RunShape shape;
  shape.rounds = 20;
  RunData data = RunOnHosts(shape, {5000, 5100});
  EXPECT_EQ(ReportOf(data).comparisons(0).verdict(), v1::VERDICT_SLOWER);
  data.experiment.mutable_design()->set_scope(v1::SCOPE_HOSTS);
  const v1::ReportComparison report = ReportOf(data).comparisons(0);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  EXPECT_FALSE(report.estimate().has_low_ns());
  ASSERT_THAT(CodesOf(report.refusals()), ElementsAre("too-few-processes"));
  EXPECT_EQ(report.refusals(0).measured(), "2 hosts");
  EXPECT_THAT(report.refusals(0).advice(), HasSubstr("scope: these-hosts"));
}

TEST(Hosts, WithOneProcessEachHaveNoSpreadInsideThem) {
  RunShape shape;
  shape.rounds = 6;
  const v1::ReportComparison report =
      ReportOf(RunOnHosts(shape, {5000, 5100, 5200, 5300, 5400, 5500})).comparisons(0);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  ASSERT_THAT(CodesOf(report.refusals()), Contains("too-few-processes"));
  EXPECT_EQ(report.variance_components_size(), 0);
}

TEST(Hosts, OfRoundsHaveTheirRatiosAndGatesInScope) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.purpose = v1::PURPOSE_GATE;
  shape.rounds = 15;
  // Hosts differ far more than rounds do: about 10 to 60 % slower.
  RunData data = RunOnHosts(shape, {11'000, 30'000, 60'000});
  data.experiment.mutable_threshold()->set_relative_ppm(50'000);
  const v1::ReportComparison these = ReportOf(data).comparisons(0);
  EXPECT_EQ(these.verdict(), v1::VERDICT_REGRESSION);
  EXPECT_GT(these.ratio().low(), 1.2);
  EXPECT_FALSE(these.gate().has_units_needed());
  std::vector<double> logs(3);
  for (int i = 0; i < 15; ++i) {
    logs[static_cast<size_t>(i % 3)] +=
        std::log(these.candidate_medians_ns(i) / these.baseline_medians_ns(i)) / 5;
  }
  data.experiment.mutable_design()->set_scope(v1::SCOPE_HOSTS);
  const v1::ReportComparison hosts = ReportOf(data).comparisons(0);
  const stats::Interval expected = stats::TInterval(logs, 0.95).value();
  EXPECT_NEAR(hosts.ratio().low(), std::exp(expected.low), 1e-9);
  EXPECT_NEAR(hosts.ratio().high(), std::exp(expected.high), 1e-9);
  EXPECT_LT(hosts.gate().low(), these.gate().low());
  EXPECT_EQ(hosts.verdict(), v1::VERDICT_INCONCLUSIVE);
}

TEST(Hosts, OfARunWithLooksDecideNothing) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.purpose = v1::PURPOSE_GATE;
  shape.rounds = 15;
  RunData data = RunOnHosts(shape, {11'000, 30'000, 60'000});
  data.experiment.mutable_threshold()->set_relative_ppm(50'000);
  for (const int look : {5, 10, 15}) data.plan.add_looks(look);
  const v1::ReportComparison report = ReportOf(data).comparisons(0);
  EXPECT_EQ(report.verdict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_FALSE(report.has_repeated_ratio());
  for (TrialData& trial : data.trials) trial.record.mutable_machine()->set_machine_id("a");
  EXPECT_EQ(ReportOf(data).comparisons(0).verdict(), v1::VERDICT_REGRESSION);
}

TEST(Hosts, WhenThereIsOneNothingChanges) {
  RunData data = MakeRun(RunShape(), SlowerBy(3000));
  const std::string plain = ReportOf(data).SerializeAsString();
  data.experiment.mutable_design()->set_scope(v1::SCOPE_HOSTS);
  EXPECT_EQ(ReportOf(data).SerializeAsString(), plain);
}

// The table of hosts: coverage over 3 hosts of 5 processes, sd 8 between processes and 6 of noise.
TEST(Hosts, AreCoveredAsPromised) {
  constexpr int kRuns = 20'000;
  constexpr double kDeviationsMax = 4.2;
  const double tolerance = kDeviationsMax * std::sqrt(0.95 * 0.05 / kRuns);
  Random random(20);
  for (const double host_sd : {0.0, 5.0, 10.0}) {
    int these_covered = 0;
    int hosts_covered = 0;
    int naive_covered = 0;
    for (int run = 0; run < kRuns; ++run) {
      SampledValues sampled;
      double target = 0;  // of these hosts
      for (size_t host = 0; host < 3; ++host) {
        const double host_effect = host_sd * random.Normal();
        target += host_effect / 3;
        for (int process = 0; process < 5; ++process) {
          sampled.values.push_back(host_effect + 8 * random.Normal() + 6 * random.Normal());
          sampled.hosts.push_back(host);
        }
      }
      const auto covers = [&](v1::Scope scope, double truth) {
        sampled.scope = scope;
        const v1::Estimate estimate = MakeEstimate(sampled, 0.95);
        return estimate.low_ns() <= truth && truth <= estimate.high_ns();
      };
      these_covered += covers(v1::SCOPE_THESE_HOSTS, target);
      hosts_covered += covers(v1::SCOPE_HOSTS, 0);
      naive_covered += covers(v1::SCOPE_UNSPECIFIED, 0);
    }
    EXPECT_NEAR(these_covered / double{kRuns}, 0.95, tolerance) << host_sd;
    EXPECT_NEAR(hosts_covered / double{kRuns}, 0.95, tolerance) << host_sd;
    if (host_sd == 10) {
      // The document's own figure is of as many runs.
      const double naive_tolerance = kDeviationsMax * std::sqrt(2 * 0.707 * 0.293 / kRuns);
      EXPECT_NEAR(naive_covered / double{kRuns}, 0.707, naive_tolerance);
    }
  }
}

v1::VarianceComponent ComponentOf(const v1::ReportComparison& report, const std::string& level) {
  for (const v1::VarianceComponent& component : report.variance_components()) {
    if (component.level() == level) return component;
  }
  ADD_FAILURE() << "no level " << level;
  return v1::VarianceComponent();
}

TEST(Components, TellHostsProcessesAndSetsApart) {
  RunShape shape;
  shape.rounds = 15;
  shape.sets = 200;
  const v1::ReportComparison report =
      ReportOf(RunOnHosts(shape, {1000, 5000, 9000})).comparisons(0);
  ASSERT_EQ(report.variance_components_size(), 3);
  EXPECT_EQ(report.variance_components(0).level(), "set");
  // Differences of two samples with an sd of 2 us; of their median, π/2 times the variance.
  const v1::VarianceComponent set = ComponentOf(report, "set");
  EXPECT_NEAR(set.sd_ns(), 2000 * std::sqrt(2 * 1.5708), 500);
  EXPECT_EQ(set.units(), 15 * 200);
  EXPECT_EQ(ComponentOf(report, "process").units(), 15);
  const v1::VarianceComponent host = ComponentOf(report, "host");
  EXPECT_EQ(host.units(), 3);
  EXPECT_NEAR(host.sd_ns(), 4000, 400);
  double share = 0;
  for (const v1::VarianceComponent& component : report.variance_components()) {
    share += component.share();
  }
  EXPECT_NEAR(share, 1, 1e-12);
  EXPECT_GT(host.share(), 0.95);
}

TEST(Components, OfRoundsAreOfTwoProcesses) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.sets = 100;
  const v1::ReportComparison report = ReportOf(MakeRun(shape, SlowerBy(3000))).comparisons(0);
  ASSERT_EQ(report.variance_components_size(), 2);
  EXPECT_EQ(report.variance_components(0).level(), "sample");
  EXPECT_NEAR(report.variance_components(0).sd_ns(), 2000 * std::sqrt(2 * 1.5708), 600);
  EXPECT_EQ(report.variance_components(1).level(), "round");
  EXPECT_EQ(report.unit_of_inference(), "round");
}

TEST(Components, WithoutSamplesEnoughAreOfTheUnitsAlone) {
  RunShape shape;
  shape.sets = 20;
  const v1::ReportComparison report = ReportOf(MakeRun(shape, SlowerBy(3000))).comparisons(0);
  ASSERT_EQ(report.variance_components_size(), 1);
  EXPECT_EQ(report.variance_components(0).level(), "process");
  EXPECT_DOUBLE_EQ(report.variance_components(0).share(), 1);
}

// Equal processes: in about half of the runs the estimate is negative.
TEST(Components, ClampANegativeEstimateAndSayIt) {
  int clamped = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    RunShape shape;
    shape.seed = seed;
    const v1::ReportComparison report = ReportOf(MakeRun(shape, EqualArms)).comparisons(0);
    const v1::VarianceComponent process = ComponentOf(report, "process");
    clamped += process.is_clamped();
    EXPECT_EQ(process.is_clamped(), process.sd_ns() == 0);
  }
  EXPECT_GE(clamped, 3);
  EXPECT_LE(clamped, 17);
}

}  // namespace
}  // namespace tare::coordinator
