// Row 3 for proxies: did they delay what they were asked to, and how exactly?

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/analysis/proxy_run.h"
#include "tests/analysis/report_matchers.h"

namespace tare::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Makes every trial at this delay late by the same.
void SetLate(const std::string& delay, int64_t late_ns, RunData* data) {
  for (TrialData* trial : TrialsAt(delay, data)) {
    ProxyOf(trial)->mutable_total()->mutable_to_client()->mutable_late()->set_p50_ns(late_ns);
  }
}

TEST(ProxyDelay, PassesWithinOneMicrosecondOrOnePercent) {
  RunData data = MakeProxyRun({});
  SetLate("250us", 2'500, &data);
  SetLate("0us", 50'000, &data);  // nothing was asked, so nothing can be missed
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_EQ(IntegrityOf(report, "delay-not-applied").status(), v1::CHECK_STATUS_PASSED);
}

TEST(ProxyDelay, RefusesTheRunWhenTheMedianTrialMissesIt) {
  RunData data = MakeProxyRun({});
  SetLate("250us", 2'510, &data);
  SetLate("2ms", 20'100, &data);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  ASSERT_THAT(CodesOf(report.refusals()), ElementsAre("delay-not-applied"));
  EXPECT_EQ(report.refusals(0).measured(),
            "proxy 'wire' to-client, wire.delay=250us: asked 250 us, applied 253 us, off by "
            "2.51 us (median of 10 trials) (and 1 more)");
  EXPECT_EQ(report.refusals(0).limit(), "off by at most 2.50 us");
}

TEST(ProxyDelay, IsJudgedByTheMedianOverTrials) {
  RunData data = MakeProxyRun({});
  const std::vector<TrialData*> trials = TrialsAt("250us", &data);
  for (size_t i = 0; i < 4; ++i) {
    ProxyOf(trials[i])->mutable_total()->mutable_to_client()->mutable_late()->set_p50_ns(1'000'000);
  }
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), IsEmpty());
}

TEST(ProxyDelay, RefusesAProxyThatWasNeverToldOfItsDelay) {
  RunData data = MakeProxyRun({});
  for (TrialData& trial : data.trials) {
    ProxyOf(&trial)->mutable_total()->mutable_to_client()->mutable_asked()->set_p50_ns(0);
  }
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), ElementsAre("delay-not-applied"));
}

TEST(ProxyDelay, OfADrawnLawIsHeldAgainstWhatWasDrawn) {
  RunData data = MakeProxyRun({});
  v1::Proxy* proxy = data.experiment.mutable_services(1)->mutable_proxy();
  proxy->set_law(v1::DELAY_LAW_NORMAL);
  for (TrialData& trial : data.trials) {
    v1::Distribution* asked =
        ProxyOf(&trial)->mutable_total()->mutable_to_client()->mutable_asked();
    asked->set_p50_ns(asked->p50_ns() * 9 / 10);
  }
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), IsEmpty());
}

TEST(ProxyDelay, IsJudgedInEachDirection) {
  ProxyShape shape;
  shape.direction = v1::DIRECTION_BOTH;
  RunData data = MakeProxyRun(shape);
  for (TrialData& trial : data.trials) {
    ProxyOf(&trial)->mutable_total()->mutable_to_server()->mutable_late()->set_p50_ns(30'000);
  }
  const v1::Report report = ReportOf(data);
  ASSERT_THAT(CodesOf(report.refusals()), ElementsAre("delay-not-applied"));
  EXPECT_THAT(report.refusals(0).measured(), ::testing::HasSubstr("'wire' to-server"));
}

TEST(ProxyDelay, IsNotRunWithoutEvidence) {
  RunData data = MakeProxyRun({});
  for (TrialData& trial : data.trials) trial.record.clear_services();
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(IntegrityOf(report, "delay-not-applied").status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_THAT(report.proxies(), IsEmpty());
}

TEST(ProxyReport, SumsUpWhatTheProxyDidOverAllTrials) {
  const v1::Report report = ReportOf(MakeProxyRun({}));
  ASSERT_EQ(report.proxies_size(), 1);
  const v1::ProxyReport& proxy = report.proxies(0);
  EXPECT_EQ(proxy.service(), "wire");
  EXPECT_EQ(proxy.direction(), "to-client: a round trip takes the delay once");
  // 24 sets of 2 arms, 3 turns each, in 50 trials, 40 of them with a delay.
  EXPECT_EQ(proxy.turns(), 50 * 48 * 3);
  EXPECT_EQ(proxy.releases(), 40 * 48 * 3);
  EXPECT_EQ(proxy.late_p50_ns(), 900);
  EXPECT_EQ(proxy.late_p99_ns(), 1'350);
  EXPECT_DOUBLE_EQ(proxy.polling_share(), 0.04);
  EXPECT_FALSE(report.services(0).has_proxy());
}

TEST(ProxyReport, HasNoLatenessWhereNothingWasDelayed) {
  const v1::Report report = ReportOf(MakeProxyRun({.delays = {"0us"}}));
  ASSERT_EQ(report.proxies_size(), 1);
  EXPECT_EQ(report.proxies(0).releases(), 0);
  EXPECT_FALSE(report.proxies(0).has_late_p50_ns());
  EXPECT_FALSE(report.proxies(0).has_late_p99_ns());
}

}  // namespace
}  // namespace tare::coordinator
