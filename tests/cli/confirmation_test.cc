// Which experiment the second session of a gate measures.

#include "coordinator/cli/confirmation.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

using testing::ElementsAre;

v1::Experiment ThreeArms() {
  v1::Experiment experiment;
  experiment.set_confirm(v1::SWITCH_ON);
  experiment.set_seed(17);
  for (const char* name : {"old", "new", "newer"}) experiment.add_arms()->set_name(name);
  v1::Arm* control = experiment.add_arms();
  control->set_name("again");
  control->set_same_as("old");
  for (const char* candidate : {"new", "newer"}) {
    v1::Comparison* comparison = experiment.add_compare();
    comparison->set_baseline("old");
    comparison->set_candidate(candidate);
  }
  for (const v1::Metric metric : {v1::METRIC_P95, v1::METRIC_SERVER_CPU}) {
    experiment.add_metrics(metric);
  }
  return experiment;
}

void Add(v1::Report* report, const char* candidate, const char* metric, v1::Verdict verdict) {
  v1::ReportComparison* comparison = report->add_comparisons();
  comparison->set_baseline("old");
  comparison->set_candidate(candidate);
  comparison->set_metric(metric);
  comparison->set_verdict(verdict);
}

TEST(Confirmation, MeasuresOnlyWhatRegressed) {
  v1::Report report;
  Add(&report, "new", "p95", v1::VERDICT_PASS);
  Add(&report, "new", "server-cpu", v1::VERDICT_INCONCLUSIVE);
  Add(&report, "newer", "p95", v1::VERDICT_PASS);
  Add(&report, "newer", "server-cpu", v1::VERDICT_REGRESSION);
  const auto again = MakeConfirmation(ThreeArms(), report);
  ASSERT_TRUE(again.has_value());
  std::vector<std::string> arms;
  for (const v1::Arm& arm : again->arms()) arms.push_back(arm.name());
  EXPECT_THAT(arms, ElementsAre("old", "newer", "again"));
  ASSERT_EQ(again->compare_size(), 1);
  EXPECT_EQ(again->compare(0).candidate(), "newer");
  EXPECT_THAT(again->metrics(), ElementsAre(v1::METRIC_SERVER_CPU));
  EXPECT_EQ(again->confirm(), v1::SWITCH_OFF);
  EXPECT_FALSE(again->has_seed());
}

TEST(Confirmation, IsNoneWhenNothingRegressedOrNobodyAsked) {
  v1::Report report;
  Add(&report, "new", "p95", v1::VERDICT_PASS);
  EXPECT_FALSE(MakeConfirmation(ThreeArms(), report).has_value());
  Add(&report, "newer", "p95", v1::VERDICT_REGRESSION);
  EXPECT_TRUE(MakeConfirmation(ThreeArms(), report).has_value());
  v1::Experiment experiment = ThreeArms();
  experiment.set_confirm(v1::SWITCH_OFF);
  EXPECT_FALSE(MakeConfirmation(experiment, report).has_value());
  report.add_refusals()->set_code("control-differs");
  EXPECT_FALSE(MakeConfirmation(ThreeArms(), report).has_value());
}

}  // namespace
}  // namespace tare::coordinator
