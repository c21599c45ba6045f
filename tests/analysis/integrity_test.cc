// Row 1: every way in which a run is not the one that was asked for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "absl/strings/str_cat.h"
#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunData HealthyRun() { return MakeRun(RunShape(), SlowerBy(5'000)); }

// The run is refused for one reason, everything in it too, and the numbers are still there.
void ExpectRefused(const v1::Report& report, const std::string& code, const std::string& measured) {
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  EXPECT_EQ(report.exit_code(), 3);
  ASSERT_THAT(CodesOf(report.refusals()), ElementsAre(code));
  EXPECT_EQ(report.refusals(0).measured(), measured);
  EXPECT_FALSE(report.refusals(0).advice().empty());
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    EXPECT_EQ(comparison.verdict(), v1::VERDICT_REFUSED);
    EXPECT_TRUE(comparison.estimate().has_low_ns());
    EXPECT_THAT(comparison.sentence(), HasSubstr(absl::StrCat("refused (", code, ")")));
  }
}

TEST(Integrity, OfAHealthyRunPassesWhatRanAndSaysWhatDidNot) {
  const v1::Report report = ReportOf(HealthyRun());
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  for (const char* name : {"incomplete", "no-work", "different-work", "config-not-applied",
                           "identity-missing", "not-idle", "throttled"}) {
    EXPECT_EQ(IntegrityOf(report, name).status(), v1::CHECK_STATUS_PASSED) << name;
  }
  for (const char* name :
       {"more-than-one-variable", "not-repeatable", "generator-behind", "not-steady"}) {
    EXPECT_EQ(IntegrityOf(report, name).status(), v1::CHECK_STATUS_NOT_RUN) << name;
  }
}

TEST(Integrity, RefusesATrialThatLacksSamples) {
  RunData data = HealthyRun();
  DropSamples(&data.trials[3], 1);
  const v1::Report report = ReportOf(data);
  ExpectRefused(report, "incomplete", "trial 3 (round 3) has 191 of 192 samples");
  EXPECT_EQ(report.rounds_counted(), 9);
  EXPECT_EQ(report.comparisons(0).processes(), 9);
}

TEST(Integrity, RefusesARecordThatCountsOtherSamplesThanWereKept) {
  RunData data = HealthyRun();
  data.trials[3].record.set_samples_count(193);
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), ElementsAre("incomplete"));
}

TEST(Integrity, RefusesAFailedTrialWithItsOwnMessage) {
  RunData data = HealthyRun();
  v1::TrialRecord& record = data.trials[2].record;
  record.set_outcome(v1::TRIAL_OUTCOME_FAILED);
  record.set_message("process exited with signal 9");
  record.set_detail("memory limit of 512 MiB was reached");
  record.set_advice("raise the limit");
  const v1::Report report = ReportOf(data);
  ExpectRefused(report, "incomplete", "trial 2 (round 2): process exited with signal 9");
  EXPECT_EQ(report.refusals(0).limit(), "memory limit of 512 MiB was reached");
  EXPECT_EQ(IntegrityOf(report, "incomplete").status(), v1::CHECK_STATUS_REFUSED);
}

TEST(Integrity, GivesTheCodeOfATrialThatTheAgentRefused) {
  RunData data = HealthyRun();
  for (size_t i : {4u, 5u}) {
    v1::TrialRecord& record = data.trials[i].record;
    record.set_outcome(v1::TRIAL_OUTCOME_REFUSED);
    record.set_code("config-not-applied");
    record.set_message("'plans' is 10, asked 40");
    record.set_advice("apply it");
  }
  const v1::Report report = ReportOf(data);
  ExpectRefused(report, "config-not-applied", "trial 4 (round 4): 'plans' is 10, asked 40");
  EXPECT_EQ(IntegrityOf(report, "config-not-applied").status(), v1::CHECK_STATUS_REFUSED);
}

TEST(Integrity, RefusesAFinishedRunThatLacksRounds) {
  RunData data = HealthyRun();
  data.trials.resize(7);
  ExpectRefused(ReportOf(data), "incomplete", "3 of 10 trials were never completed");
}

TEST(Integrity, LeavesUnfinishedRoundsOfACancelledRunOutWhole) {
  RunShape shape;
  shape.plans = {10, 40};
  RunData data = MakeRun(shape, SlowerBy(5'000));
  data.trials.resize(17);  // round 8 has one of its two cells
  data.trials[16].record.set_outcome(v1::TRIAL_OUTCOME_COMPLETED);
  data.is_cancelled = true;
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_EQ(report.rounds_counted(), 8);
  EXPECT_EQ(report.trials_counted(), 17);
  ASSERT_EQ(report.comparisons_size(), 2);
  EXPECT_EQ(report.comparisons(0).processes(), 8);
  EXPECT_EQ(report.comparisons(1).processes(), 8);
  EXPECT_THAT(report.warnings(0),
              "2 of 10 rounds are unfinished and left out whole: the run was stopped");
}

TEST(Integrity, LeavesARoundCutByALostAgentOutWhole) {
  RunData data = HealthyRun();
  data.trials[9].is_counted = false;
  data.trials[9].record.set_outcome(v1::TRIAL_OUTCOME_LOST);
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_EQ(report.rounds_counted(), 9);
  EXPECT_THAT(report.warnings(0), "1 of 10 rounds are unfinished and left out whole");
}

TEST(Integrity, DoesNotCallARunIncompleteWhileItGoesOn) {
  RunData data = HealthyRun();
  data.trials.resize(6);
  data.is_final = false;
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_EQ(IntegrityOf(report, "incomplete").status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(report.comparisons(0).control().status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(report.comparisons(0).processes(), 6);
}

TEST(Integrity, RefusesArmsWithoutProofOfWork) {
  const struct {
    std::function<void(v1::ArmEvidence*)> spoil;
    const char* measured;
  } kCases[] = {
      {[](v1::ArmEvidence* e) { e->set_operations(0); },
       "arm 'rollback' in trial 1 (round 1) counted 0 operations"},
      {[](v1::ArmEvidence* e) { e->set_operations(59); },
       "arm 'rollback' in trial 1 (round 1) counted 59 operations"},
      {[](v1::ArmEvidence* e) {
         e->set_records(0);
         e->clear_checksum();
       },
       "arm 'rollback' in trial 1 (round 1) has no record and no checksum to show"},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.measured);
    RunData data = HealthyRun();
    test.spoil(EvidenceOf(&data.trials[1], "rollback"));
    ExpectRefused(ReportOf(data), "no-work", test.measured);
  }
}

TEST(Integrity, CountsTheOperationsOfEveryIteration) {
  RunShape shape;
  shape.iterations = 3;
  RunData data = MakeRun(shape, EqualArms);
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), IsEmpty());
  EvidenceOf(&data.trials[0], "copy")->set_operations(179);
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), ElementsAre("no-work"));
}

TEST(Integrity, AcceptsAChecksumOrARecordAsProof) {
  RunData data = HealthyRun();
  for (TrialData& trial : data.trials) {
    for (const char* arm : {"copy", "rollback", "copy-control"}) {
      EvidenceOf(&trial, arm)->clear_checksum();
    }
  }
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_EQ(IntegrityOf(report, "different-work").status(), v1::CHECK_STATUS_NOT_RUN);
}

TEST(Integrity, RefusesAnArmThatGivesNoEvidence) {
  RunData data = HealthyRun();
  EvidenceOf(&data.trials[0], "rollback")->set_arm("other");
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), ElementsAre("no-work", "config-not-applied"));
  EXPECT_EQ(report.refusals(0).measured(),
            "arm 'rollback' in trial 0 (round 0) gave no evidence of work");
}

TEST(Integrity, RefusesArmsThatReturnDifferentResults) {
  RunData data = HealthyRun();
  for (size_t i : {1u, 2u}) EvidenceOf(&data.trials[i], "rollback")->set_checksum("bad");
  const v1::Report report = ReportOf(data);
  ExpectRefused(report, "different-work", "checksum 'bad' of 'rollback' in round 1 (and 1 more)");
  EXPECT_EQ(report.refusals(0).limit(), "'c0ffee' of 'copy'");
}

TEST(Integrity, LetsChecksumsDifferBetweenRounds) {
  RunData data = HealthyRun();
  for (const char* arm : {"copy", "rollback", "copy-control"}) {
    EvidenceOf(&data.trials[1], arm)->set_checksum("of-another-seed");
  }
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), IsEmpty());
}

TEST(Integrity, RefusesDifferentResultsOfTheProcessesOfOneRound) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.sets = 1;
  shape.warmup_sets = 0;
  RunData data = MakeRun(shape, EqualArms);
  for (TrialData& trial : data.trials) {
    if (data.plan.trials(trial.trial).roles(0).arm() == "rollback") {
      EvidenceOf(&trial, "rollback")->set_checksum("bad");
    }
  }
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), ElementsAre("different-work"));
}

TEST(Integrity, RefusesASettingThatWasNotApplied) {
  RunShape shape;
  shape.plans = {10, 40};
  const RunData healthy = MakeRun(shape, EqualArms);
  EXPECT_THAT(CodesOf(ReportOf(healthy).refusals()), IsEmpty());

  RunData data = healthy;
  EvidenceOf(&data.trials[1], "rollback")->mutable_config(1)->set_integer(10);
  ExpectRefused(ReportOf(data), "config-not-applied",
                "arm 'rollback' in trial 1 (round 0, plans=40) runs with plans=10");

  data = healthy;
  EvidenceOf(&data.trials[1], "copy")->clear_config();
  const v1::Report report = ReportOf(data);
  ExpectRefused(report, "config-not-applied",
                "arm 'copy' in trial 1 (round 0, plans=40) did not echo 'plans' (and 1 more)");
  EXPECT_EQ(report.refusals(0).limit(), "plans=40");
}

TEST(Integrity, ComparesNumbersAsNumbersAndNothingElse) {
  RunData data = HealthyRun();
  EvidenceOf(&data.trials[0], "copy")->mutable_config(0)->set_real(60.0);
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), IsEmpty());
  EvidenceOf(&data.trials[0], "copy")->mutable_config(0)->set_text("60");
  EXPECT_THAT(CodesOf(ReportOf(data).refusals()), ElementsAre("config-not-applied"));
}

TEST(Integrity, RefusesARunWhoseIdentityIsNotKnown) {
  const struct {
    std::function<void(TrialData*)> spoil;
    const char* measured;
  } kCases[] = {
      {[](TrialData* t) { ProcessOf(t)->clear_program_sha256(); },
       "no digest of the program of role 'workload' in trial 0 (round 0)"},
      {[](TrialData* t) { ProcessOf(t)->clear_harness(); },
       "role 'workload' in trial 0 (round 0) does not name its harness"},
      {[](TrialData* t) { t->record.mutable_machine()->clear_host(); },
       "trial 0 (round 0) names no host"},
      {[](TrialData* t) { ProcessOf(t)->set_role("server"); },
       "no process of role 'workload' in trial 0 (round 0)"},
  };
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.measured);
    RunData data = HealthyRun();
    test.spoil(&data.trials[0]);
    ExpectRefused(ReportOf(data), "identity-missing", test.measured);
  }
}

void SpoilCheck(RunData* data, int check, v1::CheckStatus status) {
  v1::Check* spoiled = data->trials[4].record.mutable_checks(check);
  spoiled->set_status(status);
  spoiled->set_value(93);
  spoiled->set_culprit("pid 4711 'cc1plus'");
  spoiled->set_advice("stop it");
}

TEST(Integrity, RefusesCausesUnderStrictGates) {
  const char* const kCodes[] = {"not-idle", "throttled"};
  const char* const kNames[] = {"cpu-busy", "throttling"};
  for (int i = 0; i < 2; ++i) {
    RunData data = HealthyRun();
    data.experiment.set_gates(v1::GATES_STRICT);
    SpoilCheck(&data, i, v1::CHECK_STATUS_REFUSED);
    const v1::Report report = ReportOf(data);
    ExpectRefused(report, kCodes[i],
                  absl::StrCat(kNames[i], " 93 % (pid 4711 'cc1plus') in 1 trial"));
    EXPECT_EQ(report.refusals(0).limit(), "3 %");
    EXPECT_EQ(report.refusals(0).advice(), "stop it");
  }
}

TEST(Integrity, OnlyRecordsCausesUnderNormalGates) {
  RunData data = HealthyRun();
  SpoilCheck(&data, 0, v1::CHECK_STATUS_WARNED);
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_EQ(IntegrityOf(report, "not-idle").status(), v1::CHECK_STATUS_WARNED);
  ASSERT_EQ(report.machine_checks_size(), 2);
  const v1::MachineCheck& check = report.machine_checks(0);
  EXPECT_EQ(check.name(), "cpu-busy");
  EXPECT_EQ(check.worst(), v1::CHECK_STATUS_WARNED);
  EXPECT_EQ(check.trials_warned(), 1);
  EXPECT_EQ(check.trials_count(), 10);
  EXPECT_EQ(check.value_worst(), 93);
  EXPECT_EQ(check.culprit(), "pid 4711 'cc1plus'");
}

TEST(Integrity, NeverCountsACheckThatDidNotRunAsPassed) {
  RunData data = HealthyRun();
  for (TrialData& trial : data.trials) {
    trial.record.mutable_checks(0)->set_status(v1::CHECK_STATUS_NOT_RUN);
  }
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(IntegrityOf(report, "not-idle").status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(report.machine_checks(0).worst(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(report.machine_checks(0).trials_count(), 0);
}

TEST(Integrity, WarnsWhenADigestDiffersBetweenArms) {
  RunData data = HealthyRun();
  for (const char* arm : {"copy", "rollback"}) {
    v1::Digest* digest = EvidenceOf(&data.trials[0], arm)->add_digests();
    digest->set_name("stdout");
    digest->set_value(arm);
  }
  const v1::Report report = ReportOf(data);
  EXPECT_THAT(CodesOf(report.refusals()), IsEmpty());
  EXPECT_THAT(report.warnings(), ElementsAre("'copy' and 'rollback' differ in their stdout"));
}

TEST(Integrity, OfARunWithoutACompleteTrialHasNotRun) {
  RunData data = HealthyRun();
  for (TrialData& trial : data.trials) {
    trial.record.set_outcome(v1::TRIAL_OUTCOME_REFUSED);
    trial.record.set_code("not-idle");
    trial.record.set_message("the machine is busy");
    trial.blocks.clear();
  }
  const v1::Report report = ReportOf(data);
  EXPECT_EQ(report.verdict(), v1::VERDICT_REFUSED);
  EXPECT_THAT(CodesOf(report.refusals()), ElementsAre("not-idle"));
  EXPECT_EQ(IntegrityOf(report, "no-work").status(), v1::CHECK_STATUS_NOT_RUN);
  EXPECT_EQ(IntegrityOf(report, "identity-missing").status(), v1::CHECK_STATUS_NOT_RUN);
  ASSERT_EQ(report.comparisons_size(), 1);
  EXPECT_FALSE(report.comparisons(0).estimate().has_value_ns());
}

TEST(Integrity, IsAnErrorOnlyWherePlanAndDataContradictEachOther) {
  const struct {
    std::function<void(RunData*)> spoil;
    const char* message;
  } kCases[] = {
      {[](RunData* d) { d->trials[0].trial = 99; }, "trial 99 is not in the plan of 10 trials"},
      {[](RunData* d) { d->trials[0].trial = 1; }, "trial 1 is given twice"},
      {[](RunData* d) { d->trials[0].blocks[0].set_arm(0, 7); }, "sample 0 is of arm 7"},
      {[](RunData* d) { d->trials[0].blocks[0].add_arm(0); },
       "trial 0: block 0 has columns of unequal length"},
      {[](RunData* d) { d->trials[0].blocks.push_back(d->trials[0].blocks[1]); },
       "trial 0: more samples than the 192 of the plan"},
      {[](RunData* d) { d->plan.mutable_comparisons(0)->set_candidate("absent"); },
       "arm 'absent' of a comparison is not in the plan"},
      {[](RunData* d) { d->plan.mutable_trials(0)->set_cell(5); },
       "trial 0 of the plan names a cell, role or arm that it does not have"},
  };
  for (const auto& test : kCases) {
    RunData data = HealthyRun();
    test.spoil(&data);
    const absl::StatusOr<v1::Report> report = Analyse(data);
    EXPECT_EQ(report.status().code(), absl::StatusCode::kInvalidArgument) << test.message;
    EXPECT_THAT(std::string(report.status().message()), HasSubstr(test.message));
  }
}

}  // namespace
}  // namespace tare::coordinator
