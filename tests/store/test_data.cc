// The runs, blocks and chunks that the store's tests share.

#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/random.h"
#include "tests/store/store_contract.h"

namespace tare::coordinator {

void AddTestRun(Store& store, const std::string& run, int32_t trials_count,
                int64_t created_unix_ns) {
  v1::Experiment experiment;
  experiment.set_name("preview-cost");
  v1::Plan plan;
  plan.set_format(1);
  plan.set_seed(42);
  for (const char* arm : {"copy", "rollback"}) plan.add_arms()->set_name(arm);
  plan.add_cells();
  for (int32_t trial = 0; trial < trials_count; ++trial) plan.add_trials()->set_trial(trial);
  ASSERT_EQ(store.AddRun(run, created_unix_ns, experiment, plan), absl::OkStatus());
}

v1::SampleBlock MakeTestBlock(int32_t block, int32_t samples_count) {
  Random random(static_cast<uint64_t>(block) + 1);
  v1::SampleBlock result;
  result.set_block(block);
  result.set_is_warmup(block == 0);
  v1::StepColumn* update = result.add_steps();
  update->set_name("update");
  v1::StepColumn* rollback = result.add_steps();
  rollback->set_name("rollback");
  int64_t start_ns = 0;
  for (int32_t i = 0; i < samples_count; ++i) {
    const bool is_slow = random.Below(100) == 0;
    const int64_t step_ns = 150'000 + static_cast<int64_t>(8'000 * random.Normal());
    const int64_t value_ns = 2 * step_ns + (is_slow ? 2'000'000 : 0);
    result.add_arm(static_cast<uint32_t>(i % 2));
    result.add_start_ns(start_ns);
    result.add_value_ns(value_ns);
    update->add_ns(step_ns);
    rollback->add_ns(i % 2 == 0 ? 0 : step_ns);
    start_ns += value_ns + 500;
  }
  v1::BlockEvidence* evidence = result.mutable_evidence();
  evidence->set_duration_ns(start_ns);
  evidence->set_foreign_cpu_share(0.015);
  v1::Placement* placement = evidence->add_placements();
  placement->set_process("workload");
  placement->set_pid(4711);
  placement->set_cpu_first(0);
  return result;
}

v1::Chunk MakeTestChunk(const std::string& run, const std::string& role, int64_t sequence,
                        v1::ChunkKind kind, const google::protobuf::MessageLite& payload,
                        int32_t count) {
  v1::Chunk chunk;
  chunk.mutable_key()->set_run(run);
  chunk.mutable_key()->set_attempt(1);
  chunk.mutable_key()->set_epoch(5);
  chunk.set_role(role);
  chunk.set_sequence(sequence);
  chunk.set_kind(kind);
  chunk.set_incarnation(77);
  chunk.set_count(count);
  chunk.set_payload(payload.SerializeAsString());
  chunk.set_crc32c(Crc32c(chunk.payload()));
  return chunk;
}

std::vector<v1::Chunk> MakeTestAttempt(const std::string& run, v1::TrialOutcome outcome) {
  v1::TrialRecord record;
  record.set_outcome(outcome);
  record.set_blocks_count(2);
  record.set_samples_count(20);
  v1::Manifest manifest;
  v1::RoleManifest* role = manifest.add_roles();
  role->set_role("workload");
  role->set_chunks_count(2);
  role->set_samples_count(20);
  manifest.add_roles()->set_chunks_count(1);
  return {MakeTestChunk(run, "workload", 0, v1::CHUNK_KIND_SAMPLES, MakeTestBlock(0, 10), 10),
          MakeTestChunk(run, "workload", 1, v1::CHUNK_KIND_SAMPLES, MakeTestBlock(1, 10), 10),
          MakeTestChunk(run, "", 0, v1::CHUNK_KIND_RECORD, record),
          MakeTestChunk(run, "", 1, v1::CHUNK_KIND_MANIFEST, manifest)};
}

}  // namespace tare::coordinator
