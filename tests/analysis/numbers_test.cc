// The numbers of the report beside the verdict.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Numbers, AreOfTimedSamplesPerOperation) {
  RunShape shape;
  shape.iterations = 4;
  const Model model = [](const SampleContext& context) {
    return context.is_warmup ? 9e6 : SlowerBy(20'000)(context);
  };
  const v1::ReportComparison comparison = ReportOf(MakeRun(shape, model)).comparisons(0);
  EXPECT_NEAR(comparison.estimate().value_ns(), 20'000, 500);
  EXPECT_NEAR(comparison.baseline_median_ns(), 109'000, 500);  // rounds 0 … 9 at 0, 10, 20 us
  EXPECT_NEAR(comparison.candidate_median_ns(), 129'000, 500);
  EXPECT_NEAR(comparison.ratio().value(), 1.18, 0.02);
  EXPECT_EQ(comparison.positive_share(), 1);
  EXPECT_EQ(comparison.sets(), 600);
  EXPECT_EQ(comparison.process_estimates_ns_size(), 10);
  EXPECT_EQ(comparison.baseline_medians_ns_size(), 10);
  EXPECT_EQ(comparison.candidate_medians_ns_size(), 10);
  EXPECT_TRUE(comparison.hodges_lehmann().has_low_ns());
  EXPECT_EQ(comparison.metric(), "latency");
  EXPECT_FALSE(comparison.has_cell());
}

TEST(Numbers, NameCellsAndMetric) {
  RunShape shape;
  shape.plans = {10, 40};
  RunData data = MakeRun(shape, EqualArms);
  data.experiment.mutable_workload()->set_command(0, "/opt/tare/bin/tare-command");
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.comparisons_size(), 2);
  EXPECT_EQ(report.comparisons(0).cell(), "plans=10");
  EXPECT_EQ(report.comparisons(1).cell(), "plans=40");
  EXPECT_EQ(report.comparisons(0).metric(), "wall");
}

TEST(Numbers, OfTheRunCountWhatWasMeasured) {
  const RunData data = MakeRun(RunShape(), EqualArms);
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.run(), "run-1");
  EXPECT_EQ(report.trials_planned(), 10);
  EXPECT_EQ(report.trials_counted(), 10);
  EXPECT_EQ(report.rounds_planned(), 10);
  EXPECT_EQ(report.rounds_counted(), 10);
  EXPECT_EQ(report.samples_count(), 10 * 64 * 3);
  EXPECT_EQ(report.started_unix_ns(), 1'000'000'000);
  EXPECT_EQ(report.duration_ns(), 10'000'000'000);
  ASSERT_EQ(report.machines_size(), 1);
  ASSERT_EQ(report.programs_size(), 1);
  EXPECT_EQ(report.programs(0).program_sha256(), "ab12");
  EXPECT_EQ(report.programs(0).arms_size(), 0);
}

TEST(Numbers, OfServicesTakeTheMedianRoundTrip) {
  RunData data = MakeRun(RunShape(), EqualArms);
  for (TrialData& trial : data.trials) {
    v1::ServiceRecord* service = trial.record.add_services();
    service->set_name("db");
    service->set_version("15.8");
    service->set_empty_round_trip_ns(trial.trial == 0 ? 900'000 : 40'000 + trial.trial);
  }
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.services_size(), 1);
  EXPECT_EQ(report.services(0).version(), "15.8");
  EXPECT_EQ(report.services(0).empty_round_trip_ns(), 40'006);  // 40,005.5 rounded
}

TEST(Numbers, FindTheEffectOfPosition) {
  const Model second_is_faster = [](const SampleContext& context) {
    return SlowerBy(3'000)(context) - (context.is_first_in_set ? 0 : 4'000);
  };
  RunShape shape;
  shape.has_control = false;
  const v1::ReportComparison comparison = ReportOf(MakeRun(shape, second_is_faster)).comparisons(0);
  EXPECT_NEAR(comparison.order_effect().effect().value_ns(), -4'000, 500);
  EXPECT_FALSE(comparison.order_effect().is_confounded());
  EXPECT_NEAR(comparison.estimate().value_ns(), 3'000, 500);
}

// Two steps that make the whole sample; the second one is the candidate's own.
RunData RunWithSteps() {
  RunData data = MakeRun(RunShape(), SlowerBy(20'000));
  for (TrialData& trial : data.trials) {
    for (v1::SampleBlock& block : trial.blocks) {
      v1::StepColumn* compute = block.add_steps();
      compute->set_name("compute");
      v1::StepColumn* rollback = block.add_steps();
      rollback->set_name("rollback");
      block.add_steps()->set_name("unused");
      for (int i = 0; i < block.value_ns_size(); ++i) {
        const int64_t own_ns = block.arm(i) == 1 ? 19'000 + 10 * (i % 7) : 0;
        compute->add_ns(block.value_ns(i) - own_ns);
        rollback->add_ns(own_ns);
        block.mutable_steps(2)->add_ns(0);
      }
    }
  }
  return data;
}

double MeanOfMiddleHalf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto quarter = static_cast<int64_t>(values.size() / 4);
  double sum = 0;
  for (auto it = values.begin() + quarter; it != values.end() - quarter; ++it) sum += *it;
  return sum / static_cast<double>(static_cast<int64_t>(values.size()) - 2 * quarter);
}

TEST(Numbers, OfStepsAddUpToTheWhole) {
  const RunData data = RunWithSteps();
  const v1::ReportComparison comparison = ReportOf(data).comparisons(0);
  ASSERT_EQ(comparison.steps_size(), 2);  // a step that no arm has is left out
  EXPECT_EQ(comparison.steps(0).name(), "compute");
  EXPECT_EQ(comparison.steps(1).name(), "rollback");
  EXPECT_EQ(comparison.steps(1).baseline_ns(), 0);
  EXPECT_NEAR(comparison.steps(1).candidate_ns(), 19'030, 20);
  EXPECT_TRUE(comparison.steps(0).estimate().has_low_ns());

  // The mean over processes of the difference of the middle halves, from the samples themselves.
  double whole_ns = 0;
  for (const TrialData& trial : data.trials) {
    std::vector<double> values[2];
    for (const v1::SampleBlock& block : trial.blocks) {
      if (block.is_warmup()) continue;
      for (int i = 0; i < block.arm_size(); ++i) {
        if (block.arm(i) > 1) continue;
        values[block.arm(i)].push_back(static_cast<double>(block.value_ns(i)));
      }
    }
    whole_ns += (MeanOfMiddleHalf(values[1]) - MeanOfMiddleHalf(values[0])) / 10;
  }
  const double steps_ns =
      comparison.steps(0).estimate().value_ns() + comparison.steps(1).estimate().value_ns();
  EXPECT_NEAR(steps_ns, whole_ns, 1e-6);
}

TEST(Numbers, OfTheSmallestVisibleEffectComeFromTheControl) {
  RunShape shape;
  const v1::ReportComparison comparison = ReportOf(MakeRun(shape, EqualArms)).comparisons(0);
  const v1::SmallestVisible& visible = comparison.smallest_visible();
  ASSERT_EQ(visible.status(), v1::CHECK_STATUS_PASSED);
  EXPECT_EQ(visible.power(), 0.8);
  // The interval of the control gives its sd back: half width = t sd / √n.
  const v1::Estimate& control = comparison.control().estimate();
  const double sd = (control.high_ns() - control.low_ns()) / 2 / 2.2621571627 * std::sqrt(10.0);
  EXPECT_NEAR(visible.value_ns(), 0.996002 * 1.293385 * sd, 0.01);
  EXPECT_NEAR(visible.value_ns_95(), 1.285940 * 1.293385 * sd, 0.01);
  EXPECT_NEAR(visible.relative(), visible.value_ns() / comparison.baseline_median_ns(), 1e-12);

  shape.rounds = 7;
  const v1::SmallestVisible few =
      ReportOf(MakeRun(shape, EqualArms)).comparisons(0).smallest_visible();
  EXPECT_EQ(few.status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(few.text(), "needs at least 8 units, has 7");
  EXPECT_FALSE(few.has_value_ns());
}

TEST(Numbers, FlagAProcessFarFromTheOthers) {
  const Model odd = [](const SampleContext& context) {
    return EqualArms(context) + (context.arm == "rollback" && context.round == 6 ? 60'000 : 0);
  };
  const v1::Report report = ReportOf(MakeRun(RunShape(), odd));
  EXPECT_THAT(FlagsOf(report.comparisons(0)), Contains("odd-process"));
  EXPECT_THAT(report.warnings(), Contains(HasSubstr("far from the others")));
}

void Place(TrialData* trial, int workload_cpu, int service_cpu) {
  for (v1::SampleBlock& block : trial->blocks) {
    v1::BlockEvidence* evidence = block.mutable_evidence();
    for (const auto& [process, cpu] :
         {std::pair("workload", workload_cpu), std::pair("db", service_cpu)}) {
      if (cpu < 0) continue;
      v1::Placement* placement = evidence->add_placements();
      placement->set_process(process);
      placement->set_cpu_first(cpu);
      placement->set_cpu_last(cpu);
    }
  }
}

RunData RunOnTwoPlacements() {
  return MakeRun(RunShape(), [](const SampleContext& context) {
    return 100'000 + (context.round < 5 ? 40'000 : 0) + 2'000 * context.random->Normal();
  });
}

TEST(Numbers, ExplainTheSpreadByPlacement) {
  RunData data = RunOnTwoPlacements();
  for (TrialData& trial : data.trials) Place(&trial, trial.trial < 5 ? 0 : 1, 1);
  const v1::ReportComparison comparison = ReportOf(data).comparisons(0);
  const v1::PlacementResult& placement = comparison.placement();
  EXPECT_EQ(placement.status(), v1::CHECK_STATUS_WARNED);
  EXPECT_GT(placement.explained_share(), 0.9);
  ASSERT_EQ(placement.groups_size(), 2);
  EXPECT_EQ(placement.groups(0).name(), "other core");
  EXPECT_EQ(placement.groups(0).processes(), 5);
  EXPECT_NEAR(placement.groups(0).baseline_median_ns(), 140'000, 1'000);
  EXPECT_EQ(placement.groups(1).name(), "same core");
  EXPECT_THAT(FlagsOf(comparison), Contains("placement"));
}

TEST(Numbers, GroupByCpuWithoutAService) {
  RunData data = RunOnTwoPlacements();
  for (TrialData& trial : data.trials) Place(&trial, trial.trial < 5 ? 0 : 1, -1);
  const v1::PlacementResult placement = ReportOf(data).comparisons(0).placement();
  ASSERT_EQ(placement.groups_size(), 2);
  EXPECT_EQ(placement.groups(0).name(), "cpu 0");
}

TEST(Numbers, DoNotExplainByPlacementWhatItDoesNot) {
  RunData data = RunOnTwoPlacements();
  for (TrialData& trial : data.trials) Place(&trial, trial.trial % 2, 1);
  const v1::ReportComparison comparison = ReportOf(data).comparisons(0);
  EXPECT_EQ(comparison.placement().status(), v1::CHECK_STATUS_PASSED);
  EXPECT_THAT(FlagsOf(comparison), Not(Contains("placement")));
}

TEST(Numbers, CallAProcessMixedThatMoved) {
  RunData data = RunOnTwoPlacements();
  for (TrialData& trial : data.trials) Place(&trial, trial.trial < 5 ? 0 : 1, 1);
  for (v1::SampleBlock& block : data.trials[0].blocks) {
    block.mutable_evidence()->mutable_placements(0)->set_cpu_last(1);
  }
  const v1::PlacementResult placement = ReportOf(data).comparisons(0).placement();
  ASSERT_EQ(placement.groups_size(), 3);
  EXPECT_EQ(placement.groups(0).name(), "mixed");
}

TEST(Numbers, SayWhyPlacementIsNotKnown) {
  RunData data = RunOnTwoPlacements();
  EXPECT_EQ(ReportOf(data).comparisons(0).placement().text(), "no placement is recorded");
  for (TrialData& trial : data.trials) Place(&trial, 1, 1);
  const v1::PlacementResult placement = ReportOf(data).comparisons(0).placement();
  EXPECT_EQ(placement.status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(placement.text(), "all processes are in the group 'same core'");
}

}  // namespace
}  // namespace tare::coordinator
