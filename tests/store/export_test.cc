// Exports of a small run with exact text: two cells, two rounds of one of them, a lost attempt.

#include "coordinator/store/export.h"

#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/store/store_contract.h"
#include "tests/temporary_directory.h"

namespace tare::coordinator {
namespace {

constexpr char kRun[] = "r1";

using Export = absl::Status (*)(Store&, const std::string&, const ExportOptions&, const RowSink&);

v1::SampleBlock MakeBlock(int32_t number, bool is_warmup, int64_t value_ns) {
  v1::SampleBlock block;
  block.set_block(number);
  block.set_is_warmup(is_warmup);
  for (uint32_t i = 0; i < 2; ++i) {
    block.add_arm(1 - i);
    block.add_start_ns(1000 * i);
    block.add_value_ns(value_ns + i);
  }
  return block;
}

class ExportTest : public testing::Test {
 protected:
  ExportTest() : store_(OpenSqliteStore(directory_.Path("lab.db")).value()) {
    plan_.set_pairing(v1::PAIRING_IN_PROCESS);
    plan_.set_order(v1::ORDER_RANDOM);
    for (const char* arm : {"copy", "roll,back"}) plan_.add_arms()->set_name(arm);
    for (int32_t cell = 0; cell < 2; ++cell) {
      v1::Cell* added = plan_.add_cells();
      added->set_cell(cell);
      v1::ConfigValue* plans = added->add_levels();
      plans->set_name("plans");
      plans->set_integer(cell == 0 ? 10 : 40);
      v1::ConfigValue* mode = added->add_levels();
      mode->set_name("mode");
      mode->set_text(cell == 0 ? "say \"hi\"" : "plain");
    }
    for (int32_t trial = 0; trial < 2; ++trial) {
      v1::Trial* added = plan_.add_trials();
      added->set_trial(trial);
      added->set_round(trial);
      added->set_cell(1 - trial);
    }
  }

  void AddRun() { ASSERT_EQ(store_->AddRun(kRun, 1, {}, plan_), absl::OkStatus()); }

  // Delivers an attempt of one role; it counts when `outcome` says so.
  void Deliver(int32_t trial, const std::vector<v1::SampleBlock>& blocks,
               v1::TrialRecord record = {},
               v1::TrialOutcome outcome = v1::TRIAL_OUTCOME_COMPLETED) {
    const int32_t attempt = store_->AddAttempt(kRun, trial, "local", 5).value();
    v1::Manifest manifest;
    v1::RoleManifest* role = manifest.add_roles();
    role->set_role("workload");
    std::vector<v1::Chunk> chunks;
    for (const v1::SampleBlock& block : blocks) {
      chunks.push_back(MakeTestChunk(kRun, "workload", role->chunks_count(), v1::CHUNK_KIND_SAMPLES,
                                     block, block.value_ns_size()));
      role->set_chunks_count(role->chunks_count() + 1);
      role->set_samples_count(role->samples_count() + block.value_ns_size());
    }
    record.set_outcome(outcome);
    record.set_samples_count(role->samples_count());
    manifest.add_roles()->set_chunks_count(1);
    chunks.push_back(MakeTestChunk(kRun, "", 0, v1::CHUNK_KIND_RECORD, record));
    chunks.push_back(MakeTestChunk(kRun, "", 1, v1::CHUNK_KIND_MANIFEST, manifest));
    for (v1::Chunk& chunk : chunks) {
      chunk.mutable_key()->set_trial(trial);
      chunk.mutable_key()->set_attempt(attempt);
      ASSERT_EQ(store_->AddChunk(chunk), absl::OkStatus());
    }
  }

  // The rows as text, with the CRLF of CSV as plain line ends.
  std::string Run(Export function, const ExportOptions& options = {}) {
    std::string text;
    const absl::Status status = function(*store_, kRun, options, [&text](absl::string_view piece) {
      absl::StrAppend(&text, piece);
      return absl::OkStatus();
    });
    EXPECT_EQ(status, absl::OkStatus());
    return absl::StrReplaceAll(text, {{"\r\n", "\n"}});
  }

  TemporaryDirectory directory_;
  std::unique_ptr<Store> store_;
  v1::Plan plan_;
};

TEST_F(ExportTest, GivesOneRowASampleWithItsPlaceInThePlan) {
  AddRun();
  v1::SampleBlock timed = MakeBlock(1, false, 300);
  for (const int64_t applied_ns : {250'040, 0}) timed.add_applied_ns(applied_ns);
  v1::StepColumn* step = timed.add_steps();
  step->set_name("update");
  for (const int64_t ns : {120, 130}) step->add_ns(ns);
  Deliver(0, {MakeBlock(0, true, 900), timed});
  Deliver(1, {MakeBlock(0, false, 500)});
  EXPECT_EQ(Run(&ExportSamples),
            "run,trial,round,cell_plans,cell_mode,attempt,is_counted,role,arm,block,is_warmup,set,"
            "position,start_ns,value_ns,applied_ns,step_update_ns\n"
            "r1,0,0,40,plain,1,true,workload,\"roll,back\",0,true,0,0,0,900,,\n"
            "r1,0,0,40,plain,1,true,workload,copy,0,true,0,1,1000,901,,\n"
            "r1,0,0,40,plain,1,true,workload,\"roll,back\",1,false,1,0,0,300,250040,120\n"
            "r1,0,0,40,plain,1,true,workload,copy,1,false,1,1,1000,301,0,130\n"
            "r1,1,1,10,\"say \"\"hi\"\"\",1,true,workload,\"roll,back\",0,false,0,0,0,500,,\n"
            "r1,1,1,10,\"say \"\"hi\"\"\",1,true,workload,copy,0,false,0,1,1000,501,,\n");
}

TEST_F(ExportTest, GivesTheSameRowsAsJsonLines) {
  AddRun();
  Deliver(1, {MakeBlock(0, false, 500)});
  EXPECT_EQ(Run(&ExportSamples, {.format = RowFormat::kJsonLines}),
            "{\"run\":\"r1\",\"trial\":1,\"round\":1,\"cell_plans\":10,"
            "\"cell_mode\":\"say \\\"hi\\\"\",\"attempt\":1,\"is_counted\":true,"
            "\"role\":\"workload\",\"arm\":\"roll,back\",\"block\":0,\"is_warmup\":false,"
            "\"set\":0,\"position\":0,\"start_ns\":0,\"value_ns\":500,\"applied_ns\":null}\n"
            "{\"run\":\"r1\",\"trial\":1,\"round\":1,\"cell_plans\":10,"
            "\"cell_mode\":\"say \\\"hi\\\"\",\"attempt\":1,\"is_counted\":true,"
            "\"role\":\"workload\",\"arm\":\"copy\",\"block\":0,\"is_warmup\":false,"
            "\"set\":0,\"position\":1,\"start_ns\":1000,\"value_ns\":501,\"applied_ns\":null}\n");
}

TEST_F(ExportTest, LeavesOutAttemptsThatDoNotCountUnlessAsked) {
  AddRun();
  Deliver(0, {MakeBlock(0, false, 100)}, {}, v1::TRIAL_OUTCOME_FAILED);
  Deliver(0, {MakeBlock(0, false, 200)});
  const std::string counted = Run(&ExportSamples);
  EXPECT_FALSE(absl::StrContains(counted, ",1,false,workload,"));
  EXPECT_TRUE(absl::StrContains(counted, ",2,true,workload,copy,0,false,0,1,1000,201,"));
  const std::string all = Run(&ExportSamples, {.all_attempts = true});
  EXPECT_TRUE(absl::StrContains(all, ",1,false,workload,copy,0,false,0,1,1000,101,"));
  EXPECT_TRUE(absl::StrContains(all, ",2,true,workload,copy,0,false,0,1,1000,201,"));
}

TEST_F(ExportTest, GivesNoSetWhereTheOrderHasNone) {
  plan_.set_order(v1::ORDER_BALANCED);
  AddRun();
  Deliver(0, {MakeBlock(0, false, 100)});
  EXPECT_TRUE(absl::StrContains(Run(&ExportSamples), ",workload,copy,0,false,,,1000,101,\n"));
}

TEST_F(ExportTest, PlacesProcessesInTheirRound) {
  plan_.set_pairing(v1::PAIRING_ROUNDS);
  for (v1::Trial& trial : *plan_.mutable_trials()) {
    trial.set_round(0);
    trial.set_cell(0);
  }
  AddRun();
  Deliver(1, {MakeBlock(0, false, 100)});
  EXPECT_TRUE(absl::StrContains(Run(&ExportSamples), ",workload,copy,0,false,1,1,1000,101,\n"));
}

TEST_F(ExportTest, GivesOneRowACheck) {
  AddRun();
  v1::TrialRecord record;
  record.mutable_machine()->set_host("lab-3");
  v1::Check* busy = record.add_checks();
  busy->set_name("cpu-busy");
  busy->set_phase(v1::CHECK_PHASE_PREFLIGHT);
  busy->set_status(v1::CHECK_STATUS_WARNED);
  busy->set_value(0.125);
  busy->set_limit(0.03);
  busy->set_unit("share");
  busy->set_culprit("pid 4711 'cc1plus' 93 % of cpu1");
  busy->set_advice("stop it, or wait");
  busy->set_refusal("not-idle");
  v1::Check* turbo = record.add_checks();
  turbo->set_name("turbo");
  turbo->set_phase(v1::CHECK_PHASE_POSTFLIGHT);
  turbo->set_status(v1::CHECK_STATUS_NOT_RUN);
  Deliver(1, {}, record);
  EXPECT_EQ(Run(&ExportChecks),
            "run,trial,round,cell_plans,cell_mode,attempt,is_counted,host,phase,check,status,value,"
            "limit,unit,culprit,advice,refusal\n"
            "r1,1,1,10,\"say \"\"hi\"\"\",1,true,lab-3,preflight,cpu-busy,warned,0.125,0.03,share,"
            "pid 4711 'cc1plus' 93 % of cpu1,\"stop it, or wait\",not-idle\n"
            "r1,1,1,10,\"say \"\"hi\"\"\",1,true,lab-3,postflight,turbo,not_run,,,,,,\n");
}

TEST_F(ExportTest, GivesOneRowABlockAndPlacement) {
  AddRun();
  v1::SampleBlock first = MakeBlock(0, true, 100);
  v1::BlockEvidence* evidence = first.mutable_evidence();
  evidence->set_duration_ns(5000);
  evidence->set_foreign_cpu_share(0.5);
  evidence->set_steal_ns(0);
  v1::Placement* workload = evidence->add_placements();
  workload->set_process("workload");
  workload->set_pid(17);
  workload->set_cpu_first(1);
  workload->set_cpu_last(0);
  workload->set_migrations(3);
  v1::Placement* server = evidence->add_placements();
  server->set_process("db");
  server->set_pid(18);
  server->set_cpu_ns(900);
  v1::SampleBlock second = MakeBlock(1, false, 200);
  second.mutable_evidence()->set_duration_ns(6000);
  Deliver(0, {first, MakeBlock(0, true, 150), second});
  EXPECT_EQ(Run(&ExportEvidence),
            "run,trial,round,cell_plans,cell_mode,attempt,is_counted,role,block,is_warmup,"
            "duration_ns,foreign_cpu_share,steal_ns,throttled_ns,pressure_cpu_ns,pressure_io_ns,"
            "pressure_memory_ns,process,pid,cpu_first,cpu_last,migrations,switches_voluntary,"
            "switches_involuntary,faults_minor,faults_major,cpu_ns\n"
            "r1,0,0,40,plain,1,true,workload,0,true,5000,0.5,0,,,,,workload,17,1,0,3,,,,,\n"
            "r1,0,0,40,plain,1,true,workload,0,true,5000,0.5,0,,,,,db,18,,,,,,,,900\n"
            "r1,0,0,40,plain,1,true,workload,1,false,6000,,,,,,,,,,,,,,,,\n");
}

TEST_F(ExportTest, RefusesSamplesOfAnArmThatThePlanDoesNotHave) {
  AddRun();
  v1::SampleBlock block = MakeBlock(0, false, 100);
  block.set_arm(1, 2);
  Deliver(0, {block});
  const absl::Status status =
      ExportSamples(*store_, kRun, {}, [](absl::string_view) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(FormatError(status),
            "run 'r1' trial 0 attempt 1 has samples of arm 2\n"
            "  detail: its plan has 2 arms, from 0");
}

TEST_F(ExportTest, PassesOnTheSinksErrorAndSaysWhenThereIsNoRun) {
  AddRun();
  const RowSink full = [](absl::string_view) { return absl::ResourceExhaustedError("full"); };
  EXPECT_EQ(ExportSamples(*store_, kRun, {}, full), absl::ResourceExhaustedError("full"));
  EXPECT_TRUE(absl::IsNotFound(ExportChecks(*store_, "other", {}, full)));
}

}  // namespace
}  // namespace tare::coordinator
