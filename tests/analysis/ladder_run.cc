#include "tests/analysis/ladder_run.h"

#include <cmath>
#include <utility>

#include "base/random.h"

namespace tare::coordinator {
namespace {

constexpr char kArm[] = "preview";
constexpr char kDelayed[] = "delayed";
// The builder's names for the delayed arm and the levels that become rungs.
constexpr char kBuiltDelayed[] = "preview-delay";
constexpr int64_t kBuiltDelayNs = 10;

Model ModelOf(const LadderShape& shape) {
  return [shape](const SampleContext& context) {
    const auto cell = static_cast<size_t>(context.cell);
    const auto delay_ns = static_cast<double>(shape.delays_ns[cell]);
    Random process(DeriveSeed(shape.seed, static_cast<uint64_t>(context.round) * 64 + cell));
    const double spread_ns = shape.process_spread_ns * process.Normal();
    double value_ns = EqualArms(context);
    if (context.arm == kBuiltDelayed) {
      value_ns += shape.response * delay_ns + shape.base_difference_ns + spread_ns -
                  static_cast<double>(kBuiltDelayNs);
    }
    if (context.previous == kBuiltDelayed) value_ns += shape.carry_over * delay_ns;
    if (!context.is_first_in_set) value_ns += shape.position_effect_ns;
    return value_ns;
  };
}

RunShape BuilderShape(const LadderShape& shape, v1::Order order) {
  RunShape built;
  built.order = order;
  built.rounds = shape.rounds_per_pass * shape.passes;
  built.sets = shape.sets;
  built.has_control = false;
  built.known_delay_ns = kBuiltDelayNs;
  built.plans.assign(shape.delays_ns.begin(), shape.delays_ns.end());
  built.subjects = {kArm};
  built.seed = shape.seed + static_cast<uint64_t>(order) * 1'000'003;
  return built;
}

// What the trial really waited, in place of the builder's.
void SetDelay(int64_t delay_ns, TrialData* trial) {
  trial->record.set_asked_delay_ns(1, delay_ns);
  for (v1::Process& process : *trial->record.mutable_processes()) {
    for (v1::ArmEvidence& arm : *process.mutable_arms()) {
      arm.mutable_config()->RemoveLast();  // the level that was a setting
      if (arm.arm() == kBuiltDelayed) arm.set_arm(kDelayed);
    }
  }
  for (v1::SampleBlock& block : trial->blocks) {
    for (int i = 0; i < block.arm_size(); ++i) {
      block.set_applied_ns(i, block.arm(i) == 1 ? delay_ns : 0);
    }
  }
}

// Appends the trials of `built` to `run`, as those that keep `studied`.
void Append(const LadderShape& shape, RunData built, v1::Order studied, RunData* run) {
  const int offset = run->plan.trials_size();
  for (v1::Trial trial : built.plan.trials()) {
    trial.set_trial(trial.trial() + offset);
    trial.set_studied_order(studied);
    *run->plan.add_trials() = std::move(trial);
  }
  for (TrialData& trial : built.trials) {
    const int32_t cell = built.plan.trials(trial.trial).cell();
    SetDelay(shape.delays_ns[static_cast<size_t>(cell)], &trial);
    trial.trial += offset;
    run->trials.push_back(std::move(trial));
  }
}

}  // namespace

RunData MakeLadderRun(const LadderShape& shape) {
  const Model model = ModelOf(shape);
  RunData built = MakeRun(BuilderShape(shape, v1::ORDER_RANDOM), model);
  RunData run = built;
  run.trials.clear();
  run.plan.clear_trials();
  run.plan.set_rounds_per_pass(shape.rounds_per_pass);
  run.plan.mutable_arms(1)->set_name(kDelayed);
  run.plan.mutable_arms(1)->set_known_delay_ns(0);
  run.plan.mutable_comparisons(0)->set_candidate(kDelayed);
  for (int i = 0; i < run.plan.cells_size(); ++i) {
    run.plan.mutable_cells(i)->clear_levels();
    run.plan.mutable_cells(i)->set_delay_ns(shape.delays_ns[static_cast<size_t>(i)]);
  }
  v1::Ladder* ladder = run.experiment.mutable_ladder();
  ladder->set_arm(kArm);
  ladder->set_at(v1::DELAY_PLACE_END);
  ladder->set_passes(shape.passes);
  ladder->mutable_delays_ns()->Assign(shape.delays_ns.begin(), shape.delays_ns.end());
  Append(shape, std::move(built), v1::ORDER_UNSPECIFIED, &run);
  for (const v1::Order order : shape.studied) {
    run.experiment.add_study(order);
    Append(shape, MakeRun(BuilderShape(shape, order), model), order, &run);
  }
  return run;
}

}  // namespace tare::coordinator
