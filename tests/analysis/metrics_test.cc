// Metrics of whole processes: quantiles, throughput, the server's processor time and memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Ten rounds of 400 requests, 1 ms apart; the candidate takes longer by a share that varies a bit.
RunData LoadRun() {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.purpose = v1::PURPOSE_GATE;
  shape.sets = 400;
  shape.warmup_sets = 0;
  shape.has_control = false;
  RunData data = MakeRun(shape, [](const SampleContext& context) {
    const double factor = context.arm == "rollback" ? 1.2 + 0.01 * (context.round % 3) : 1;
    return factor * (100'000 + 2'000 * context.random->Normal());
  });
  for (TrialData& trial : data.trials) {
    v1::ServiceRecord* server = trial.record.add_services();
    server->set_name("loan");
    server->set_kind("server");
    v1::Process* process = trial.record.add_processes();
    process->set_role("loan");
    process->set_program_sha256(ProcessOf(&trial)->arms(0).arm() == "copy" ? "aa" : "bb");
    const bool is_candidate = ProcessOf(&trial)->arms(0).arm() == "rollback";
    const int64_t scatter = trial.trial * trial.trial % 7;
    process->set_memory_peak_bytes((is_candidate ? 60'000'000 : 40'000'000) + 100'000 * scatter);
    int64_t start_ns = 0;
    for (v1::SampleBlock& block : trial.blocks) {
      block.set_block(0);
      for (int i = 0; i < block.start_ns_size(); ++i) {
        block.set_start_ns(i, start_ns);
        start_ns += is_candidate ? 1'100'000 + 1'000 * scatter : 1'000'000;
      }
      v1::Placement* placement = block.mutable_evidence()->add_placements();
      placement->set_process("loan");
      placement->set_cpu_ns(block.value_ns_size() * (20'000 + 10 * scatter));
    }
    v1::ArmEvidence* evidence = ProcessOf(&trial)->mutable_arms(0);
    v1::Counter* counter = evidence->add_counters();
    counter->set_name("work_queries");
    counter->set_value(is_candidate ? 1'200 : 800);
    counter = evidence->add_counters();
    counter->set_name("work_operations");
    counter->set_value(400);
  }
  return data;
}

const v1::ReportComparison& Only(const v1::Report& report) { return report.comparisons(0); }

v1::Report ReportOn(RunData data, v1::Metric metric) {
  data.experiment.add_metrics(metric);
  return ReportOf(data);
}

TEST(Metrics, AQuantileIsOneOfTheSamples) {
  const v1::Report report = ReportOn(LoadRun(), v1::METRIC_P95);
  ASSERT_THAT(CodesOf(Only(report).refusals()), IsEmpty());
  EXPECT_EQ(Only(report).metric(), "p95");
  EXPECT_EQ(Only(report).unit(), "ns");
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
  // 100 us with an sd of 2 us: p95 at 103.3 us, and values are multiples of the tick.
  EXPECT_NEAR(Only(report).baseline_value(), 103'300, 200);
  EXPECT_EQ(std::fmod(Only(report).baseline_values(0), 10), 0);
  EXPECT_THAT(Only(report).sentence(), HasSubstr("is slower at p95 than"));
}

TEST(Metrics, ATailOfFewSamplesIsRefused) {
  const v1::Report report = ReportOn(LoadRun(), v1::METRIC_P99);
  EXPECT_THAT(CodesOf(Only(report).refusals()), ElementsAre("too-few-samples"));
  EXPECT_THAT(Only(report).refusals(0).measured(), HasSubstr("400 samples"));
  EXPECT_THAT(Only(report).refusals(0).limit(), HasSubstr("2000 samples"));
  EXPECT_FALSE(Only(report).has_baseline_value());
}

TEST(Metrics, LessThroughputIsWorse) {
  const v1::Report report = ReportOn(LoadRun(), v1::METRIC_THROUGHPUT);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
  EXPECT_EQ(Only(report).unit(), "1/s");
  // 400 requests, the last one sent after 399 ms and answered 0.1 ms later.
  EXPECT_NEAR(Only(report).baseline_value(), 400 / 0.3991, 0.1);
  EXPECT_LT(Only(report).ratio().high(), 1);
  EXPECT_FALSE(Only(report).has_estimate());
  EXPECT_THAT(Only(report).sentence(), HasSubstr("is lower in throughput than"));
}

TEST(Metrics, ServerCpuIsThatOfTheServerForOneOperation) {
  const v1::Report report = ReportOn(LoadRun(), v1::METRIC_SERVER_CPU);
  ASSERT_THAT(CodesOf(Only(report).refusals()), IsEmpty());
  EXPECT_NEAR(Only(report).baseline_value(), 20'030, 31);
  EXPECT_EQ(report.verdict(), v1::VERDICT_INCONCLUSIVE);
}

TEST(Metrics, PeakMemoryIsTheServers) {
  const v1::Report report = ReportOn(LoadRun(), v1::METRIC_PEAK_MEMORY);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
  EXPECT_NEAR(Only(report).ratio().value(), 1.5, 0.02);
  EXPECT_EQ(Only(report).unit(), "bytes");
}

TEST(Metrics, WhatWasNotRecordedIsRefusedAndNeverZero) {
  RunData data = LoadRun();
  data.trials[3].record.mutable_processes(1)->clear_memory_peak_bytes();
  const v1::Report report = ReportOn(data, v1::METRIC_PEAK_MEMORY);
  EXPECT_THAT(CodesOf(Only(report).refusals()), ElementsAre("incomplete"));
  EXPECT_THAT(Only(report).refusals(0).measured(),
              HasSubstr("the peak memory of 'loan' in trial 3 is not known"));
}

TEST(Metrics, EachHasAVerdictAndTheRunTakesTheWorst) {
  RunData data = LoadRun();
  for (const v1::Metric metric : {v1::METRIC_P50, v1::METRIC_SERVER_CPU, v1::METRIC_PEAK_MEMORY}) {
    data.experiment.add_metrics(metric);
  }
  const v1::Report report = ReportOf(data);
  ASSERT_EQ(report.comparisons_size(), 3);
  EXPECT_EQ(report.comparisons(1).verdict(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REGRESSION);
}

TEST(Metrics, CountWhatTheServerDidForOneOperation) {
  const v1::Report report = ReportOf(LoadRun());
  ASSERT_EQ(report.work_size(), 2);
  EXPECT_EQ(report.work(0).arm(), "copy");
  EXPECT_EQ(report.work(0).name(), "queries");
  EXPECT_DOUBLE_EQ(report.work(0).per_operation(), 2);
  EXPECT_DOUBLE_EQ(report.work(1).per_operation(), 3);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());  // more queries are no other work
}

TEST(Servers, AnotherLoadGeneratorIsAnotherVariable) {
  RunData data = LoadRun();
  for (TrialData& trial : data.trials) {
    if (ProcessOf(&trial)->arms(0).arm() == "rollback") {
      ProcessOf(&trial)->set_program_sha256("other");
    }
  }
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), Contains("more-than-one-variable"));
}

TEST(Servers, AreIdentified) {
  RunData data = LoadRun();
  data.trials[2].record.mutable_processes(1)->clear_program_sha256();
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), Contains("identity-missing"));
}

TEST(Servers, OtherNumbersOfOperationsAreOtherWork) {
  RunData data = LoadRun();
  for (TrialData& trial : data.trials) {
    if (ProcessOf(&trial)->arms(0).arm() == "rollback") {
      ProcessOf(&trial)->mutable_arms(0)->set_operations(500);
    }
  }
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), ElementsAre("different-work"));
}

TEST(Servers, AGeneratorBehindItsScheduleRefusesTheRun) {
  RunData data = LoadRun();
  v1::TrialRecord& record = data.trials[5].record;
  record.set_outcome(v1::TRIAL_OUTCOME_REFUSED);
  record.set_code("generator-behind");
  record.set_message("the load generator reached 311/s of 500/s");
  record.set_detail("at least 495/s");
  const v1::Report report = ReportOf(data);
  ASSERT_THAT(CodesOf(report.refusals()), Contains("generator-behind"));
  EXPECT_THAT(report.refusals(0).measured(), HasSubstr("reached 311/s of 500/s"));
  EXPECT_EQ(report.refusals(0).limit(), "at least 495/s");
}

TEST(Samples, TheBeginningOfAContinuousBlockIsWarmUp) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.sets = 40;
  shape.warmup_sets = 20;
  RunData data = MakeRun(shape, [](const SampleContext& context) {
    return EqualArms(context) * (context.is_warmup ? 9 : 1);
  });
  const v1::Report apart = ReportOf(data);
  for (TrialData& trial : data.trials) {
    v1::SampleBlock whole = trial.blocks[0];
    whole.MergeFrom(trial.blocks[1]);
    whole.set_block(0);
    whole.set_is_warmup(false);
    whole.set_warmup_samples(20);
    trial.blocks = {whole};
  }
  const v1::Report together = ReportOf(data);
  EXPECT_EQ(together.comparisons(0).estimate().value_ns(),
            apart.comparisons(0).estimate().value_ns());
  EXPECT_EQ(together.comparisons(0).sets(), 400);
}

// The samples of a run in one process, dealt to a process an arm.
TEST(Samples, OfLockstepAreMergedInTheOrderInWhichTheyWereTaken) {
  RunShape shape;
  RunData data = MakeRun(shape, SlowerBy(5'000));
  const v1::Report in_process = ReportOf(data);
  data.plan.set_pairing(v1::PAIRING_LOCKSTEP);
  for (TrialData& trial : data.trials) {
    std::vector<v1::SampleBlock> dealt;
    for (uint32_t arm = 0; arm < static_cast<uint32_t>(data.plan.arms_size()); ++arm) {
      for (const v1::SampleBlock& block : trial.blocks) {
        v1::SampleBlock own;
        own.set_block(block.block());
        own.set_is_warmup(block.is_warmup());
        for (int i = 0; i < block.arm_size(); ++i) {
          if (block.arm(i) != arm) continue;
          own.add_arm(arm);
          own.add_start_ns(block.start_ns(i));
          own.add_value_ns(block.value_ns(i));
        }
        dealt.push_back(own);
      }
    }
    trial.blocks = dealt;
  }
  const v1::Report lockstep = ReportOf(data);
  EXPECT_THAT(CodesOf(lockstep.refusals()), IsEmpty());
  EXPECT_EQ(lockstep.comparisons(0).estimate().value_ns(),
            in_process.comparisons(0).estimate().value_ns());
  EXPECT_EQ(lockstep.comparisons(0).positive_share(), in_process.comparisons(0).positive_share());
  EXPECT_EQ(lockstep.verdict(), v1::VERDICT_SLOWER);
}

TEST(Load, OfAClosedLoopIsLabelledInEveryComparison) {
  RunData data = LoadRun();
  EXPECT_THAT(ReportOf(data).comparisons(0).flags(), Not(Contains("closed-loop")));
  for (TrialData& trial : data.trials) {
    v1::Digest* loop = ProcessOf(&trial)->mutable_arms(0)->add_digests();
    loop->set_name("loop");
    loop->set_value("closed");
  }
  data.experiment.add_metrics(v1::METRIC_P50);
  data.experiment.add_metrics(v1::METRIC_P95);
  const v1::Report report = ReportOf(data);
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    EXPECT_THAT(comparison.flags(), Contains("closed-loop")) << comparison.metric();
  }
}

TEST(Load, WithFailedRequestsIsWarnedOf) {
  RunData data = LoadRun();
  EXPECT_THAT(ReportOf(data).warnings(), Not(Contains(HasSubstr("failed"))));
  for (const auto& [name, value] : {std::pair("errors_http", 2), std::pair("errors_warmup", 5)}) {
    v1::Counter* counter = ProcessOf(&data.trials[3])->mutable_arms(0)->add_counters();
    counter->set_name(name);
    counter->set_value(value);
  }
  EXPECT_THAT(ReportOf(data).warnings(), Contains(HasSubstr("2 requests in 1 trial failed")));
}

}  // namespace
}  // namespace tare::coordinator
