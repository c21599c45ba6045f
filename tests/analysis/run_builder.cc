#include "tests/analysis/run_builder.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "tests/stats/pairs_file.h"

namespace tare::coordinator {
namespace {

constexpr int kSamplesPerBlock = 100;

v1::ConfigValue Setting(const std::string& name, int64_t value) {
  v1::ConfigValue setting;
  setting.set_name(name);
  setting.set_integer(value);
  return setting;
}

void AddArm(const std::string& name, v1::ArmKind kind, const std::string& repeats, v1::Plan* plan) {
  v1::PlannedArm* arm = plan->add_arms();
  arm->set_name(name);
  arm->set_kind(kind);
  arm->set_repeats(repeats);
  *arm->add_config() = Setting("months", 60);
}

void AddComparison(v1::ComparisonKind kind, const std::string& baseline,
                   const std::string& candidate, v1::Plan* plan) {
  v1::PlannedComparison* comparison = plan->add_comparisons();
  comparison->set_kind(kind);
  comparison->set_baseline(baseline);
  comparison->set_candidate(candidate);
}

void AddArms(const RunShape& shape, v1::Plan* plan) {
  const std::string& baseline = shape.subjects[0];
  for (const std::string& name : shape.subjects) AddArm(name, v1::ARM_KIND_SUBJECT, "", plan);
  for (size_t i = 1; i < shape.subjects.size(); ++i) {
    AddComparison(v1::COMPARISON_KIND_SUBJECT, baseline, shape.subjects[i], plan);
  }
  if (shape.has_control) {
    AddArm(baseline + "-control", v1::ARM_KIND_CONTROL, baseline, plan);
    AddComparison(v1::COMPARISON_KIND_CONTROL, baseline, baseline + "-control", plan);
  }
  if (shape.known_delay_ns > 0) {
    AddArm(baseline + "-delay", v1::ARM_KIND_KNOWN_DELAY, baseline, plan);
    plan->mutable_arms(plan->arms_size() - 1)->set_known_delay_ns(shape.known_delay_ns);
    AddComparison(v1::COMPARISON_KIND_KNOWN_DELAY, baseline, baseline + "-delay", plan);
  }
}

// A random walk through a graph in which every arm leads to every arm equally often would be a
// balanced order; for these tests independent draws, long enough, serve as well.
std::vector<uint32_t> OrderSamples(const RunShape& shape, int arms, int sets, Random* random) {
  std::vector<uint32_t> order;
  std::vector<uint32_t> set(static_cast<size_t>(arms));
  std::iota(set.begin(), set.end(), 0u);
  for (int i = 0; i < sets; ++i) {
    if (shape.order == v1::ORDER_RANDOM) random->Shuffle(std::span<uint32_t>(set));
    for (uint32_t arm : set) order.push_back(arm);
  }
  if (shape.order == v1::ORDER_BALANCED) random->Shuffle(std::span<uint32_t>(order));
  if (shape.order == v1::ORDER_BLOCKED) std::sort(order.begin(), order.end());
  return order;
}

void AddTrial(const RunShape& shape, int round, int cell, const std::vector<uint32_t>& arms,
              Random* random, v1::Plan* plan) {
  v1::Trial* trial = plan->add_trials();
  trial->set_trial(plan->trials_size() - 1);
  trial->set_round(round);
  trial->set_cell(cell);
  v1::Role* role = trial->add_roles();
  role->set_role("workload");
  if (shape.pairing == v1::PAIRING_ROUNDS) {
    role->set_arm(plan->arms(static_cast<int>(arms[0])).name());
    for (int i = 0; i < shape.warmup_sets + shape.sets; ++i) trial->add_sample_arms(arms[0]);
    return;
  }
  for (int sets : {shape.warmup_sets, shape.sets}) {
    for (uint32_t arm : OrderSamples(shape, plan->arms_size(), sets, random)) {
      trial->add_sample_arms(arm);
    }
  }
}

v1::Plan MakePlan(const RunShape& shape, Random* random) {
  v1::Plan plan;
  plan.set_seed(shape.seed);
  plan.set_pairing(shape.pairing);
  plan.set_order(shape.order);
  plan.set_sets(shape.sets);
  plan.set_warmup_sets(shape.warmup_sets);
  plan.set_iterations(shape.iterations);
  AddArms(shape, &plan);
  const int cells = std::max(1, static_cast<int>(shape.plans.size()));
  for (int cell = 0; cell < cells; ++cell) {
    v1::Cell* added = plan.add_cells();
    added->set_cell(cell);
    if (!shape.plans.empty()) {
      *added->add_levels() = Setting("plans", shape.plans[static_cast<size_t>(cell)]);
    }
  }
  std::vector<uint32_t> arms(static_cast<size_t>(plan.arms_size()));
  std::iota(arms.begin(), arms.end(), 0u);
  for (int round = 0; round < shape.rounds; ++round) {
    for (int cell = 0; cell < cells; ++cell) {
      if (shape.pairing == v1::PAIRING_IN_PROCESS) {
        AddTrial(shape, round, cell, arms, random, &plan);
        continue;
      }
      if (shape.order == v1::ORDER_RANDOM) random->Shuffle(std::span<uint32_t>(arms));
      for (uint32_t arm : arms) AddTrial(shape, round, cell, {arm}, random, &plan);
    }
  }
  return plan;
}

v1::Check HealthyCheck(const std::string& name, const std::string& refusal) {
  v1::Check check;
  check.set_name(name);
  check.set_phase(v1::CHECK_PHASE_PREFLIGHT);
  check.set_status(v1::CHECK_STATUS_PASSED);
  check.set_value(1);
  check.set_limit(3);
  check.set_unit("%");
  check.set_refusal(refusal);
  return check;
}

v1::TrialRecord HealthyRecord(const v1::Plan& plan, const v1::Trial& planned) {
  v1::TrialRecord record;
  record.set_outcome(v1::TRIAL_OUTCOME_COMPLETED);
  record.set_started_unix_ns(1'000'000'000LL * (planned.trial() + 1));
  record.set_ended_unix_ns(1'000'000'000LL * (planned.trial() + 2));
  record.mutable_machine()->set_host("lab-3");
  *record.add_checks() = HealthyCheck("cpu-busy", "not-idle");
  *record.add_checks() = HealthyCheck("throttling", "throttled");
  v1::Process* process = record.add_processes();
  process->set_role("workload");
  process->add_command("tare-preview");
  process->set_program_sha256("ab12");
  process->set_harness("tare-sdk-cpp 0.1.0");
  process->set_clock_tick_ns(10);
  for (const v1::PlannedArm& arm : plan.arms()) {
    record.add_asked_delay_ns(arm.known_delay_ns());
    if (!planned.roles(0).arm().empty() && planned.roles(0).arm() != arm.name()) continue;
    v1::ArmEvidence* evidence = process->add_arms();
    evidence->set_arm(arm.name());
    *evidence->mutable_config() = arm.config();
    for (const v1::ConfigValue& level : plan.cells(planned.cell()).levels()) {
      *evidence->add_config() = level;
    }
    evidence->set_operations(int64_t{plan.sets()} * plan.iterations());
    evidence->set_records(1);
    evidence->set_checksum("c0ffee");
  }
  return record;
}

void AddSamples(const RunShape& shape, const v1::Plan& plan, const Model& model, Random* random,
                TrialData* trial) {
  const v1::Trial& planned = plan.trials(trial->trial);
  const int arms_per_set = shape.pairing == v1::PAIRING_ROUNDS ? 1 : plan.arms_size();
  const int warmup = shape.warmup_sets * arms_per_set;
  std::string previous;
  for (int i = 0; i < planned.sample_arms_size(); ++i) {
    const bool is_warmup = i < warmup;
    if (trial->blocks.empty() || trial->blocks.back().is_warmup() != is_warmup ||
        trial->blocks.back().arm_size() == kSamplesPerBlock) {
      v1::SampleBlock block;
      block.set_block(static_cast<int32_t>(trial->blocks.size()));
      block.set_is_warmup(is_warmup);
      trial->blocks.push_back(block);
    }
    v1::SampleBlock& block = trial->blocks.back();
    const v1::PlannedArm& arm = plan.arms(static_cast<int>(planned.sample_arms(i)));
    const int64_t applied_ns = arm.known_delay_ns() * shape.iterations;
    const double value_ns = model({planned.round(), planned.cell(), arm.name(), previous,
                                   (i - warmup) % arms_per_set == 0, is_warmup, random});
    block.add_arm(planned.sample_arms(i));
    block.add_start_ns(i);
    block.add_value_ns(std::llround(value_ns / 10) * 10 * shape.iterations + applied_ns);
    if (shape.known_delay_ns > 0) block.add_applied_ns(applied_ns);
    previous = arm.name();
  }
  trial->record.set_samples_count(planned.sample_arms_size());
  trial->record.set_blocks_count(static_cast<int32_t>(trial->blocks.size()));
}

}  // namespace

double EqualArms(const SampleContext& context) {
  return 100'000 + 10'000 * (context.round % 3) + 2'000 * context.random->Normal();
}

Model SlowerBy(double effect_ns) {
  return [effect_ns](const SampleContext& context) {
    return EqualArms(context) + (context.arm == "rollback" ? effect_ns : 0);
  };
}

RunData MakeRun(const RunShape& shape, const Model& model) {
  Random random(shape.seed);
  RunData data;
  data.run = "run-1";
  data.experiment.set_name("synthetic");
  data.experiment.set_purpose(shape.purpose);
  data.experiment.set_gates(v1::GATES_NORMAL);
  data.experiment.mutable_workload()->add_command("tare-preview");
  data.plan = MakePlan(shape, &random);
  for (const v1::Trial& planned : data.plan.trials()) {
    TrialData trial;
    trial.trial = planned.trial();
    trial.attempt = 1;
    trial.is_counted = true;
    trial.record = HealthyRecord(data.plan, planned);
    AddSamples(shape, data.plan, model, &random, &trial);
    data.trials.push_back(std::move(trial));
  }
  return data;
}

RunData RunFromPairs(const std::string& name, v1::Order order) {
  const std::vector<std::vector<MeasuredPair>> processes = ReadPairs(name);
  RunShape shape;
  shape.order = order;
  shape.purpose = v1::PURPOSE_GATE;
  shape.rounds = static_cast<int>(processes.size());
  shape.sets = static_cast<int>(processes[0].size());
  shape.warmup_sets = 0;
  shape.has_control = false;
  shape.subjects = {"baseline", "candidate"};
  RunData data = MakeRun(shape, EqualArms);
  for (TrialData& trial : data.trials) {
    v1::Trial* planned = data.plan.mutable_trials(trial.trial);
    planned->clear_sample_arms();
    trial.blocks.assign(1, v1::SampleBlock());
    v1::SampleBlock& block = trial.blocks[0];
    const auto add = [&](uint32_t arm, const MeasuredPair& pair) {
      planned->add_sample_arms(arm);
      block.add_arm(arm);
      block.add_value_ns(arm == 0 ? pair.baseline_ns : pair.candidate_ns);
    };
    const std::vector<MeasuredPair>& pairs = processes[static_cast<size_t>(trial.trial)];
    if (order == v1::ORDER_BLOCKED) {
      for (const MeasuredPair& pair : pairs) add(0, pair);
      for (const MeasuredPair& pair : pairs) add(1, pair);
      continue;
    }
    for (const MeasuredPair& pair : pairs) {
      add(pair.is_baseline_first ? 0 : 1, pair);
      add(pair.is_baseline_first ? 1 : 0, pair);
    }
  }
  return data;
}

v1::Process* ProcessOf(TrialData* trial) { return trial->record.mutable_processes(0); }

v1::ArmEvidence* EvidenceOf(TrialData* trial, const std::string& arm) {
  for (v1::ArmEvidence& evidence : *ProcessOf(trial)->mutable_arms()) {
    if (evidence.arm() == arm) return &evidence;
  }
  std::abort();
}

void DropSamples(TrialData* trial, int count) {
  v1::SampleBlock& block = trial->blocks.back();
  const int kept = block.arm_size() - count;
  block.mutable_arm()->Truncate(kept);
  block.mutable_start_ns()->Truncate(kept);
  block.mutable_value_ns()->Truncate(kept);
  if (block.applied_ns_size() > 0) block.mutable_applied_ns()->Truncate(kept);
  trial->record.set_samples_count(trial->record.samples_count() - count);
}

}  // namespace tare::coordinator
