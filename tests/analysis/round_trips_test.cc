// Row 21: round trips by slope and by counting, the distance that explains a latency, and what a
// proxy did.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/proxy_run.h"
#include "tests/analysis/report_matchers.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

v1::RoundTrips Only(const v1::Report& report) {
  EXPECT_EQ(report.round_trips_size(), 1);
  return report.round_trips_size() == 1 ? report.round_trips(0) : v1::RoundTrips();
}

TEST(RoundTrips, AreEstablishedWhereSlopeAndCountingAgree) {
  const v1::Report report = ReportOf(MakeProxyRun({}));
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  const v1::RoundTrips result = Only(report);
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_PASSED);
  EXPECT_EQ(result.text(), "3 round trips by slope, 3.000 by counting");
  EXPECT_EQ(result.arm(), "rollback");
  EXPECT_EQ(result.service(), "wire");
  EXPECT_FALSE(result.has_cell());
  EXPECT_EQ(result.established(), 3);
  EXPECT_NEAR(result.slope(), 3, 0.02);
  EXPECT_LT(result.slope_low(), 3);
  EXPECT_GT(result.slope_high(), 3);
  EXPECT_EQ(result.slopes_size(), 10);
  EXPECT_DOUBLE_EQ(result.turns_per_operation(), 3);
  EXPECT_DOUBLE_EQ(result.client_writes_per_operation(), 3);
  EXPECT_DOUBLE_EQ(result.postgres_round_trips_per_operation(), 3);
  ASSERT_EQ(result.levels_size(), 5);
  EXPECT_EQ(result.levels(3).asked_ns(), 1'000'000);
  EXPECT_DOUBLE_EQ(result.levels(3).applied_ns(), 1'000'900);
  EXPECT_NEAR(result.levels(3).latency_ns(), 309'000 + 3 * 1'000'900, 1'000);
  EXPECT_EQ(result.levels(3).processes(), 10);
  EXPECT_FALSE(result.has_distance());
  EXPECT_FALSE(result.has_proxy_cost());
}

TEST(RoundTrips, OfAnArmWithItsOwnProcessAreCountedAlone) {
  ProxyShape shape;
  shape.run.pairing = v1::PAIRING_ROUNDS;
  shape.run.subjects = {"rollback", "savepoint"};
  RunData data = MakeProxyRun(shape);
  data.plan.mutable_arms(1)->mutable_config(0)->set_integer(12);
  for (TrialData& trial : data.trials) {
    v1::ArmEvidence* evidence = ProcessOf(&trial)->mutable_arms(0);
    if (evidence->arm() == "savepoint") evidence->mutable_config(0)->set_integer(12);
  }
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.round_trips_size(), 2);
  EXPECT_EQ(report.round_trips(0).text(), "3 round trips by slope, 3.000 by counting");
  EXPECT_EQ(report.round_trips(1).text(), "3 round trips by slope, 3.000 by counting");
  EXPECT_EQ(report.round_trips(1).arm(), "savepoint");
  EXPECT_EQ(report.round_trips(1).levels(0).processes(), 10);
}

TEST(RoundTrips, MeetADelayInBothDirectionsTwice) {
  ProxyShape shape;
  shape.direction = v1::DIRECTION_BOTH;
  const v1::RoundTrips result = Only(ReportOf(MakeProxyRun(shape)));
  EXPECT_EQ(result.established(), 3);
  EXPECT_EQ(result.levels(3).asked_ns(), 2'000'000);
  EXPECT_DOUBLE_EQ(result.levels(3).applied_ns(), 2 * 1'000'900);
}

TEST(RoundTrips, GoByTheDelayThatWasAppliedNotByTheOneAsked) {
  ProxyShape shape;
  shape.direction = v1::DIRECTION_TO_SERVER;
  RunData data = MakeProxyRun(shape);
  // Half a percent too long, as was recorded and as the latency shows.
  for (TrialData& trial : data.trials) {
    v1::ProxyDirection* direction = ProxyOf(&trial)->mutable_total()->mutable_to_server();
    const int64_t extra_ns = direction->asked().p50_ns() / 200;
    direction->mutable_late()->set_p50_ns(900 + extra_ns);
    for (v1::SampleBlock& block : trial.blocks) {
      for (int64_t& value_ns : *block.mutable_value_ns()) value_ns += 3 * extra_ns;
    }
  }
  EXPECT_NEAR(Only(ReportOf(data)).slope(), 3, 0.005);
}

TEST(RoundTrips, AreNotEstablishedWhenTheSlopesVary) {
  ProxyShape shape;
  shape.round_trips = [](int round) { return round % 2 == 0 ? 2.5 : 3.5; };
  const v1::Report report = ReportOf(MakeProxyRun(shape));
  const v1::RoundTrips result = Only(report);
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_WARNED);
  EXPECT_FALSE(result.has_established());
  EXPECT_NEAR(result.slope(), 3, 0.02);
  EXPECT_THAT(result.text(), StartsWith("not established: the slope's interval ["));
  EXPECT_THAT(result.text(), HasSubstr("is not narrower than 0.5; 3.000 by counting"));
  EXPECT_THAT(report.warnings(),
              Contains(StartsWith("'rollback' through 'wire': not established")));
}

TEST(RoundTrips, AreNotEstablishedBetweenTwoIntegers) {
  ProxyShape shape;
  shape.round_trips = [](int) { return 2.5; };
  const v1::RoundTrips result = Only(ReportOf(MakeProxyRun(shape)));
  EXPECT_FALSE(result.has_established());
  EXPECT_THAT(result.text(), HasSubstr("holds no number of round trips"));
}

TEST(RoundTrips, SayBothWhereCountingAndSlopeDisagree) {
  ProxyShape shape;
  shape.turns_per_operation = 4;
  const v1::RoundTrips result = Only(ReportOf(MakeProxyRun(shape)));
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_WARNED);
  EXPECT_EQ(result.text(), "3 round trips by slope, but 4.000 by counting");
  EXPECT_EQ(result.established(), 3);
}

TEST(RoundTrips, OfOneOperationReadAsOne) {
  ProxyShape shape;
  shape.round_trips = [](int) { return 1.0; };
  shape.turns_per_operation = 1;
  EXPECT_EQ(Only(ReportOf(MakeProxyRun(shape))).text(), "1 round trip by slope, 1.000 by counting");
}

TEST(RoundTrips, AreNotCountedWithoutCounters) {
  RunData data = MakeProxyRun({});
  for (TrialData& trial : data.trials) {
    for (v1::SampleBlock& block : trial.blocks) block.mutable_evidence()->clear_proxies();
  }
  const v1::RoundTrips result = Only(ReportOf(data));
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_WARNED);
  EXPECT_EQ(result.text(),
            "3 round trips by slope; not counted, since no block has the proxy's counters");
  EXPECT_FALSE(result.has_turns_per_operation());
  EXPECT_FALSE(result.has_client_writes_per_operation());
}

TEST(RoundTrips, OfPostgresAreNotCountedWhereTheObserverStopped) {
  RunData data = MakeProxyRun({});
  ProxyOf(&data.trials[7])->mutable_total()->mutable_postgres()->set_stopped("TLS");
  const v1::RoundTrips result = Only(ReportOf(data));
  EXPECT_FALSE(result.has_postgres_round_trips_per_operation());
  EXPECT_TRUE(result.has_turns_per_operation());
}

TEST(RoundTrips, CountIterationsAndWashoutAsOperations) {
  ProxyShape shape;
  shape.run.iterations = 4;
  RunData data = MakeProxyRun(shape);
  data.plan.set_washout(2);
  // Six operations a sample where the builder counted the turns of four.
  EXPECT_DOUBLE_EQ(Only(ReportOf(data)).turns_per_operation(), 2);
}

TEST(RoundTrips, LeaveOutAWashoutThatDoesNotPassTheProxy) {
  ProxyShape shape;
  shape.run.subjects = {"direct", "rollback"};
  RunData data = MakeProxyRun(shape);
  data.plan.set_washout(2);
  EXPECT_DOUBLE_EQ(Only(ReportOf(data)).turns_per_operation(), 3);
}

TEST(RoundTrips, SayThatACountIsAnAverageOverArmsThatDiffer) {
  ProxyShape shape;
  shape.run.subjects = {"copy", "rollback"};
  shape.turns_per_operation = 1.5;
  RunData data = MakeProxyRun(shape);
  // "copy" and its control.
  for (int arm : {0, 2}) data.plan.mutable_arms(arm)->mutable_config(0)->set_integer(12);
  for (TrialData& trial : data.trials) {
    for (const char* arm : {"copy", "copy-control"}) {
      EvidenceOf(&trial, arm)->mutable_config(0)->set_integer(12);
    }
  }
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.round_trips_size(), 2);
  EXPECT_EQ(report.round_trips(1).status(), v1::CHECK_STATUS_WARNED);
  EXPECT_EQ(report.round_trips(1).text(),
            "3 round trips by slope; 1.500 by counting, an average over 'copy', 'rollback' which "
            "share the process");
}

TEST(RoundTrips, NeedThreeDelays) {
  ProxyShape shape;
  shape.delays = {"0us", "1ms"};
  const v1::RoundTrips result = Only(ReportOf(MakeProxyRun(shape)));
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(result.text(),
            "a slope needs at least 3 levels of wire.delay, the sweep has 2; 3.000 by counting");
  EXPECT_FALSE(result.has_slope());
  EXPECT_EQ(result.levels_size(), 2);
}

TEST(RoundTrips, NeedThreeRoundsAndFiveToBeEstablished) {
  ProxyShape shape;
  shape.run.rounds = 2;
  v1::RoundTrips result = Only(ReportOf(MakeProxyRun(shape)));
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_THAT(result.text(), StartsWith("a slope needs at least 3 complete rounds"));
  shape.run.rounds = 4;
  result = Only(ReportOf(MakeProxyRun(shape)));
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_WARNED);
  EXPECT_TRUE(result.has_slope_low());
  EXPECT_FALSE(result.has_established());
  EXPECT_THAT(result.text(), HasSubstr("is provisional: 4 rounds of 5 that are needed"));
  shape.run.rounds = 5;
  EXPECT_EQ(Only(ReportOf(MakeProxyRun(shape))).established(), 3);
}

TEST(RoundTrips, UseCompleteRoundsOnly) {
  RunData data = MakeProxyRun({});
  data.is_cancelled = true;
  data.trials.pop_back();
  const v1::RoundTrips result = Only(ReportOf(data));
  EXPECT_EQ(result.slopes_size(), 9);
  EXPECT_EQ(result.levels(0).processes(), 9);
}

TEST(RoundTrips, NeedTheRecordOfEveryDelay) {
  RunData data = MakeProxyRun({});
  ProxyOf(&data.trials[4])->mutable_total()->mutable_to_client()->Clear();
  const v1::RoundTrips result = Only(ReportOf(data));
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(result.text(),
            "proxy 'wire' recorded no delay in trial 4 (round 0, wire.delay=2ms); 3.000 by "
            "counting");
  EXPECT_EQ(result.levels(4).processes(), 9);
}

TEST(RoundTrips, AreNotConcludedInARefusedRun) {
  RunData data = MakeProxyRun({});
  data.trials[3].record.mutable_machine()->clear_host();
  const v1::RoundTrips result = Only(ReportOf(data));
  EXPECT_EQ(result.status(), v1::CHECK_STATUS_REFUSED);
  EXPECT_FALSE(result.has_established());
  EXPECT_TRUE(result.has_slope_low());
}

TEST(RoundTrips, AreToldApartByTheOtherFactors) {
  ProxyShape shape;
  shape.delays = {"0us", "1ms", "2ms", "0us", "1ms", "2ms"};
  shape.run.sets = 10;
  RunData data = MakeProxyRun(shape);
  for (v1::Cell& cell : *data.plan.mutable_cells()) {
    v1::ConfigValue* months = cell.add_levels();
    months->set_name("months");
    months->set_integer(cell.cell() < 3 ? 12 : 60);
  }
  for (TrialData& trial : data.trials) {
    for (v1::ArmEvidence& evidence : *ProcessOf(&trial)->mutable_arms()) {
      evidence.mutable_config(0)->set_integer(data.plan.trials(trial.trial).cell() < 3 ? 12 : 60);
    }
  }
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.round_trips_size(), 2);
  EXPECT_EQ(report.round_trips(0).cell(), "months=12");
  EXPECT_EQ(report.round_trips(1).cell(), "months=60");
  EXPECT_EQ(report.round_trips(1).levels_size(), 3);
  EXPECT_EQ(report.round_trips(1).established(), 3);
}

TEST(RoundTrips, AreLookedForOnlyWhereADelayIsSwept) {
  RunData data = MakeProxyRun({.delays = {"1ms"}});
  data.plan.mutable_cells(0)->clear_levels();
  data.experiment.mutable_services(1)->mutable_proxy()->set_delay_ns(1'000'000);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.round_trips_size(), 0);
  EXPECT_EQ(report.proxies_size(), 1);
  EXPECT_EQ(report.verdict(), ReportOf(MakeRun(RunShape(), EqualArms)).verdict());
}

TEST(RoundTrips, OfALevelThatIsNoDurationContradictThePlan) {
  RunData data = MakeProxyRun({});
  data.plan.mutable_cells(2)->mutable_levels(0)->set_text("soon");
  EXPECT_EQ(Analyse(data).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Distance, IsTheDelayAtWhichTheLatencyWouldBeReached) {
  RunData data = MakeProxyRun({});
  data.experiment.set_explain_ns(3'909'000);
  const v1::Distance distance = Only(ReportOf(data)).distance();
  EXPECT_EQ(distance.explained_ns(), 3'909'000);
  EXPECT_NEAR(distance.estimate().value_ns(), 1'200'000, 1'000);
  EXPECT_LT(distance.estimate().low_ns(), distance.estimate().value_ns());
  EXPECT_GT(distance.estimate().high_ns(), distance.estimate().value_ns());
  EXPECT_EQ(distance.estimate().confidence(), 0.95);
  EXPECT_FALSE(distance.is_extrapolated());
  EXPECT_THAT(distance.text(), StartsWith("3.91 ms would need a distance of 1.20 ms [1.20 ms, "));
}

TEST(Distance, BeyondTheMeasuredDelaysIsSaidToBe) {
  RunData data = MakeProxyRun({});
  data.experiment.set_explain_ns(20'000'000);
  const v1::Distance distance = Only(ReportOf(data)).distance();
  EXPECT_TRUE(distance.is_extrapolated());
  EXPECT_THAT(distance.text(), HasSubstr("beyond what was measured, 900 ns to 2.00 ms"));
  data.experiment.set_explain_ns(100'000);
  EXPECT_TRUE(Only(ReportOf(data)).distance().is_extrapolated());
}

TEST(Distance, IsAbsentWhereTheSlopeMayBeZero) {
  ProxyShape shape;
  shape.round_trips = [](int round) { return round % 2 == 0 ? 1.0 : -1.0; };
  RunData data = MakeProxyRun(shape);
  data.experiment.set_explain_ns(6'160'000);
  v1::Distance distance = Only(ReportOf(data)).distance();
  EXPECT_FALSE(distance.has_estimate());
  EXPECT_EQ(distance.text(),
            "no distance is known to explain 6.16 ms: the slope cannot be told from zero, so every "
            "x would do");
  shape.delays = {"0us", "1ms"};
  data = MakeProxyRun(shape);
  data.experiment.set_explain_ns(6'160'000);
  distance = Only(ReportOf(data)).distance();
  EXPECT_FALSE(distance.has_estimate());
  EXPECT_THAT(distance.text(), HasSubstr("a slope needs at least 3 levels"));
}

TEST(ProxyCost, IsTheComparisonWithTheWayRoundItAtZeroDelay) {
  ProxyShape shape;
  shape.run.subjects = {"direct", "rollback"};
  shape.late_ns = 5'000;
  RunData data = MakeProxyRun(shape);
  v1::RoundTrips result = Only(ReportOf(data));
  EXPECT_NEAR(result.proxy_cost().value_ns(), 15'000, 1'000);
  EXPECT_TRUE(result.proxy_cost().has_low_ns());
  // The other way round it is the same cost.
  v1::PlannedComparison* comparison = data.plan.mutable_comparisons(0);
  comparison->set_baseline("rollback");
  comparison->set_candidate("direct");
  EXPECT_NEAR(Only(ReportOf(data)).proxy_cost().value_ns(), 15'000, 1'000);
  // Not of an arm that does something else.
  data.plan.mutable_arms(0)->mutable_config(0)->set_integer(12);
  EXPECT_FALSE(Only(ReportOf(data)).has_proxy_cost());
}

TEST(ProxyCost, IsAbsentWithoutADelayOfZero) {
  ProxyShape shape;
  shape.run.subjects = {"direct", "rollback"};
  shape.delays = {"100us", "1ms", "2ms"};
  EXPECT_FALSE(Only(ReportOf(MakeProxyRun(shape))).has_proxy_cost());
}

}  // namespace
}  // namespace tare::coordinator
