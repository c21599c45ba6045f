#include "coordinator/import/imported_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace tare::coordinator {
namespace {

constexpr char kRole[] = "workload";

// Samples [begin, end) as one block.
v1::SampleBlock MakeBlock(const ProcessSamples& samples, size_t begin, size_t end) {
  v1::SampleBlock block;
  for (size_t i = begin; i < end; ++i) {
    block.add_arm(samples.arms[i]);
    block.add_value_ns(samples.values_ns[i]);
    if (!samples.applied_ns.empty()) block.add_applied_ns(samples.applied_ns[i]);
  }
  return block;
}

std::vector<v1::SampleBlock> MakeBlocks(const ProcessSamples& samples) {
  const size_t warmup = static_cast<size_t>(samples.warmup);
  std::vector<v1::SampleBlock> blocks;
  if (warmup > 0) {
    blocks.push_back(MakeBlock(samples, 0, warmup));
    blocks.back().set_is_warmup(true);
  }
  blocks.push_back(MakeBlock(samples, warmup, samples.values_ns.size()));
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i].set_block(static_cast<int32_t>(i));
  return blocks;
}

}  // namespace

ImportedRun::ImportedRun(const std::vector<MeasuredFile>& files, v1::Pairing pairing,
                         v1::Order order) {
  for (const MeasuredFile& file : files) data_.sources.push_back(file.name);
  data_.experiment.set_name(std::filesystem::path(files.front().name).stem().string());
  data_.experiment.set_purpose(v1::PURPOSE_GATE);
  data_.experiment.mutable_design()->set_pairing(pairing);
  data_.plan.set_pairing(pairing);
  data_.plan.set_order(order);
  data_.plan.set_iterations(1);
  data_.plan.add_cells();
}

void ImportedRun::AddArm(const std::string& name, v1::ArmKind kind, const std::string& repeats) {
  v1::PlannedArm* arm = data_.plan.add_arms();
  arm->set_name(name);
  arm->set_kind(kind);
  arm->set_repeats(repeats);
}

void ImportedRun::AddComparison(v1::ComparisonKind kind, const std::string& baseline,
                                const std::string& candidate) {
  v1::PlannedComparison* comparison = data_.plan.add_comparisons();
  comparison->set_kind(kind);
  comparison->set_baseline(baseline);
  comparison->set_candidate(candidate);
}

v1::Trial* ImportedRun::AddPlannedTrial(int32_t round) {
  v1::Trial* planned = data_.plan.add_trials();
  planned->set_trial(data_.plan.trials_size() - 1);
  planned->set_round(round);
  planned->add_roles()->set_role(kRole);
  return planned;
}

v1::ArmEvidence* ImportedRun::AddTrial(const ProcessSamples& samples) {
  v1::Trial* planned = AddPlannedTrial(samples.round);
  planned->mutable_sample_arms()->Add(samples.arms.begin(), samples.arms.end());
  if (data_.plan.pairing() == v1::PAIRING_ROUNDS) {
    planned->mutable_roles(0)->set_arm(
        data_.plan.arms(static_cast<int>(samples.arms.front())).name());
  }
  TrialData trial;
  trial.trial = planned->trial();
  trial.attempt = 1;
  trial.is_counted = true;
  trial.blocks = MakeBlocks(samples);
  trial.record.set_outcome(v1::TRIAL_OUTCOME_COMPLETED);
  trial.record.set_blocks_count(static_cast<int32_t>(trial.blocks.size()));
  trial.record.set_samples_count(static_cast<int64_t>(samples.values_ns.size()));
  v1::Process* process = trial.record.add_processes();
  process->set_role(kRole);
  data_.trials.push_back(std::move(trial));
  return process->add_arms();
}

void ImportedRun::AddMissingTrial(int32_t round) { AddPlannedTrial(round); }

RunData ImportedRun::Take() && { return std::move(data_); }

}  // namespace tare::coordinator
