#include "coordinator/plan/plan.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/random.h"
#include "base/status.h"
#include "coordinator/plan/order.h"
#include "coordinator/plan/planned_arms.h"
#include "coordinator/plan/planned_services.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "stats/planned_looks.h"

namespace tare::coordinator {
namespace {

constexpr char kWorkloadRole[] = "workload";
// Evidence is looked at about this often in a process.
constexpr int32_t kBlocksPerProcess = 10;
// Seeds of trials stay exact in JavaScript.
constexpr uint64_t kTrialSeedMask = (uint64_t{1} << 53) - 1;
// Which of the seed's streams governs what.
constexpr uint64_t kOrderStream = 0;
constexpr uint64_t kTrialStream = 1;

bool IsInRounds(const v1::Experiment& experiment) {
  return experiment.design().pairing() == v1::PAIRING_ROUNDS;
}

bool IsInLockstep(const v1::Experiment& experiment) {
  return experiment.design().pairing() == v1::PAIRING_LOCKSTEP;
}

bool IsOpenEnded(const v1::Experiment& experiment) {
  return experiment.stop().open_ended() == v1::SWITCH_ON;
}

// Of an open-ended run all that there may ever be: rounds that are added later are planned too.
int32_t RoundsOf(const v1::Experiment& experiment) {
  if (experiment.has_ladder())
    return experiment.ladder().passes() * experiment.design().processes();
  if (!IsInRounds(experiment)) return experiment.design().processes();
  return IsOpenEnded(experiment) ? experiment.stop().max_rounds() : experiment.design().rounds();
}

absl::Status AddLooks(const v1::Experiment& experiment, v1::Plan* plan) {
  if (!experiment.has_stop()) return absl::OkStatus();
  const int32_t rounds_count = RoundsOf(experiment);
  if (IsOpenEnded(experiment)) {
    for (int32_t rounds = 1; rounds <= rounds_count; ++rounds) plan->add_looks(rounds);
    return absl::OkStatus();
  }
  const auto rounds_max = static_cast<size_t>(rounds_count);
  const size_t looks_count = experiment.stop().has_looks()
                                 ? static_cast<size_t>(experiment.stop().looks())
                                 : stats::DefaultLooks(rounds_max);
  ASSIGN_OR_RETURN(const std::vector<size_t> looks, stats::PlanLooks(rounds_max, looks_count));
  for (const size_t rounds : looks) plan->add_looks(static_cast<int32_t>(rounds));
  return absl::OkStatus();
}

int64_t CountCells(const v1::Experiment& experiment) {
  if (experiment.has_ladder()) return experiment.ladder().delays_ns_size();
  int64_t count = 1;
  for (const v1::Factor& factor : experiment.sweep()) count *= factor.levels_size();
  return count;
}

// As a cell has it: of a proxy's delay always text, also for a plain 0.
v1::ConfigValue LevelOf(const v1::Experiment& experiment, const v1::Factor& factor, int64_t index) {
  v1::ConfigValue level = factor.levels(static_cast<int>(index));
  if (level.has_integer() && IsDelayFactor(experiment, factor.name())) {
    level.set_text(absl::StrCat(level.integer()));
  }
  return level;
}

void AddRungs(const v1::Ladder& ladder, v1::Plan* plan) {
  for (const int64_t delay_ns : ladder.delays_ns()) {
    v1::Cell* cell = plan->add_cells();
    cell->set_cell(plan->cells_size() - 1);
    cell->set_delay_ns(delay_ns);
  }
}

// Counts through the levels as an odometer does, the last factor fastest.
void AddCells(const v1::Experiment& experiment, v1::Plan* plan) {
  if (experiment.has_ladder()) return AddRungs(experiment.ladder(), plan);
  const int64_t cells_count = CountCells(experiment);
  for (int64_t index = 0; index < cells_count; ++index) {
    v1::Cell* cell = plan->add_cells();
    cell->set_cell(static_cast<int32_t>(index));
    int64_t combinations = cells_count;
    int64_t rest = index;
    for (const v1::Factor& factor : experiment.sweep()) {
      combinations /= factor.levels_size();
      *cell->add_levels() = LevelOf(experiment, factor, rest / combinations);
      rest %= combinations;
    }
  }
}

// Orders that processes of their own keep at every rung of a ladder.
std::vector<v1::Order> StudiedOrders(const v1::Experiment& experiment) {
  std::vector<v1::Order> orders;
  if (!experiment.has_ladder()) return orders;
  for (const int order : experiment.study()) orders.push_back(static_cast<v1::Order>(order));
  return orders;
}

absl::Status CheckSize(const v1::Experiment& experiment, const v1::Plan& plan) {
  const bool is_in_rounds = IsInRounds(experiment);
  const int64_t cells_count = CountCells(experiment);
  const int64_t processes_per_cell =
      is_in_rounds ? plan.arms_size() : 1 + StudiedOrders(experiment).size();
  const int64_t trials_count = cells_count * RoundsOf(experiment) * processes_per_cell;
  if (trials_count > kTrialsMax) {
    return MakeError(
               absl::StatusCode::kInvalidArgument,
               absl::StrCat("plan needs ", trials_count, " trials but the limit is ", kTrialsMax))
        .Detail(absl::StrCat(cells_count, " cells, ", RoundsOf(experiment), " rounds, ",
                             processes_per_cell, " processes a cell"))
        .Try("drop a factor or some of its levels");
  }
  const int64_t arms_count = is_in_rounds ? 1 : plan.arms_size();
  const int64_t sets_count =
      int64_t{experiment.design().warmup()} + int64_t{experiment.design().sets()};
  if (sets_count * arms_count > kSamplesPerTrialMax) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("a trial needs ", sets_count * arms_count,
                                  " samples but the limit is ", kSamplesPerTrialMax))
        .Detail(absl::StrCat(sets_count, " sets of ", arms_count,
                             " arms, those that the checks add ", "included"))
        .Try("lower 'sets'; more 'processes' tell more than more sets");
  }
  const int64_t samples_count = trials_count * sets_count * arms_count;
  if (samples_count > kSamplesMax) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("plan needs ", samples_count, " samples but the limit is ",
                                  kSamplesMax))
        .Detail(absl::StrCat(trials_count, " trials of ", sets_count * arms_count, " samples"))
        .Try("lower 'sets', or drop levels of a factor");
  }
  return absl::OkStatus();
}

// The arm of each sample of a trial with sets: warm-up, then timed, each balanced in itself.
std::vector<uint32_t> MakeSamples(const v1::Plan& plan, v1::Order order, Random* random) {
  const auto arms_count = static_cast<uint32_t>(plan.arms_size());
  std::vector<uint32_t> samples;
  for (const int32_t sets_count : {plan.warmup_sets(), plan.sets()}) {
    AppendSets(order, arms_count, sets_count, random, &samples);
  }
  return samples;
}

class TrialMaker {
 public:
  TrialMaker(const v1::Experiment& experiment, v1::Plan* plan)
      : experiment_(experiment),
        plan_(plan),
        random_(DeriveSeed(plan->seed(), kOrderStream)),
        trial_seed_(DeriveSeed(plan->seed(), kTrialStream)) {}

  // One trial a round and cell, with the samples of all arms: of one process, or of one an arm.
  void AddSets() {
    for (int32_t round = 0; round < RoundsOf(experiment_); ++round) {
      for (const int32_t cell : ShuffledCells()) {
        v1::Trial* trial = AddTrial(round, cell);
        if (IsInLockstep(experiment_)) {
          for (const v1::PlannedArm& arm : plan_->arms()) {
            AddRole(absl::StrCat(kWorkloadRole, "-", arm.name()), arm, trial);
          }
        } else {
          AddHostOfAll(trial);
        }
        const std::vector<uint32_t> samples = MakeSamples(*plan_, plan_->order(), &random_);
        trial->mutable_sample_arms()->Add(samples.begin(), samples.end());
      }
    }
  }

  // One trial a round and rung, and one more for each order that is studied, all shuffled.
  void AddLadder() {
    std::vector<v1::Order> orders = StudiedOrders(experiment_);
    orders.insert(orders.begin(), v1::ORDER_UNSPECIFIED);
    std::vector<std::pair<int32_t, v1::Order>> processes;
    for (const v1::Cell& rung : plan_->cells()) {
      for (const v1::Order order : orders) processes.emplace_back(rung.cell(), order);
    }
    for (int32_t round = 0; round < RoundsOf(experiment_); ++round) {
      random_.Shuffle(std::span(processes));
      for (const auto& [cell, studied] : processes) {
        v1::Trial* trial = AddTrial(round, cell);
        trial->set_studied_order(studied);
        AddHostOfAll(trial);
        const std::vector<uint32_t> samples = MakeSamples(
            *plan_, studied == v1::ORDER_UNSPECIFIED ? plan_->order() : studied, &random_);
        trial->mutable_sample_arms()->Add(samples.begin(), samples.end());
      }
    }
  }

  // The arms of a cell run next to each other, so that the machine changes least between what is
  // compared.
  void AddRounds() {
    const auto arms_count = static_cast<uint32_t>(plan_->arms_size());
    const int32_t rounds_count = RoundsOf(experiment_);
    if (plan_->order() == v1::ORDER_BLOCKED) {
      for (uint32_t arm = 0; arm < arms_count; ++arm) {
        for (int32_t round = 0; round < rounds_count; ++round) {
          for (const int32_t cell : ShuffledCells()) AddTrialOf(arm, round, cell);
        }
      }
      return;
    }
    // By cell: the arms of all rounds, a set each.
    std::vector<std::vector<uint32_t>> orders(static_cast<size_t>(plan_->cells_size()));
    for (std::vector<uint32_t>& order : orders) {
      AppendSets(plan_->order(), arms_count, rounds_count, &random_, &order);
    }
    for (int32_t round = 0; round < rounds_count; ++round) {
      for (const int32_t cell : ShuffledCells()) {
        for (uint32_t i = 0; i < arms_count; ++i) {
          const size_t at = static_cast<size_t>(round) * arms_count + i;
          AddTrialOf(orders[static_cast<size_t>(cell)][at], round, cell);
        }
      }
    }
  }

 private:
  std::vector<int32_t> ShuffledCells() {
    std::vector<int32_t> cells(static_cast<size_t>(plan_->cells_size()));
    std::iota(cells.begin(), cells.end(), 0);
    random_.Shuffle(std::span<int32_t>(cells));
    return cells;
  }

  v1::Trial* AddTrial(int32_t round, int32_t cell) {
    const int32_t index = plan_->trials_size();
    v1::Trial* trial = plan_->add_trials();
    trial->set_trial(index);
    trial->set_round(round);
    trial->set_cell(cell);
    const auto replicate =
        static_cast<uint64_t>(round) * static_cast<uint64_t>(plan_->cells_size()) +
        static_cast<uint64_t>(cell);
    trial->set_seed(DeriveSeed(trial_seed_, replicate) & kTrialSeedMask);
    return trial;
  }

  void AddHostOfAll(v1::Trial* trial) {
    v1::Role* role = trial->add_roles();
    role->set_role(kWorkloadRole);
    *role->mutable_command() = experiment_.workload().command();
    for (const v1::PlannedArm& hosted : plan_->arms()) AddNeeds(hosted, role);
  }

  // The process that runs one arm.
  void AddRole(const std::string& name, const v1::PlannedArm& arm, v1::Trial* trial) {
    v1::Role* role = trial->add_roles();
    role->set_role(name);
    role->set_arm(arm.name());
    *role->mutable_command() = experiment_.workload().command();
    AddNeeds(arm, role);
    const std::string& written = arm.repeats().empty() ? arm.name() : arm.repeats();
    for (const v1::Arm& own : experiment_.arms()) {
      if (own.name() == written && !own.command().empty()) {
        *role->mutable_command() = own.command();
      }
    }
  }

  void AddTrialOf(uint32_t arm, int32_t round, int32_t cell) {
    v1::Trial* trial = AddTrial(round, cell);
    AddRole(kWorkloadRole, plan_->arms(static_cast<int>(arm)), trial);
    trial->mutable_sample_arms()->Resize(plan_->warmup_sets() + plan_->sets(), arm);
  }

  static void AddNeeds(const v1::PlannedArm& arm, v1::Role* role) {
    for (const std::string& name : arm.uses()) {
      const auto& needs = role->needs();
      if (std::find(needs.begin(), needs.end(), name) == needs.end()) role->add_needs(name);
    }
  }

  const v1::Experiment& experiment_;
  v1::Plan* plan_;
  Random random_;
  const uint64_t trial_seed_;
};

}  // namespace

absl::StatusOr<v1::Plan> MakePlan(const v1::Experiment& experiment, uint64_t seed) {
  const v1::Design& design = experiment.design();
  v1::Plan plan;
  plan.set_format(kPlanFormat);
  plan.set_seed(seed);
  plan.set_pairing(design.pairing());
  plan.set_order(design.order());
  plan.set_warmup_sets(design.warmup());
  plan.set_sets(design.sets());
  plan.set_sets_per_block((design.sets() + kBlocksPerProcess - 1) / kBlocksPerProcess);
  plan.set_washout(design.washout());
  plan.set_iterations(design.iterations());
  if (experiment.has_ladder()) plan.set_rounds_per_pass(design.processes());
  AddArms(experiment, &plan);
  RETURN_IF_ERROR(CheckSize(experiment, plan));
  AddCells(experiment, &plan);
  RETURN_IF_ERROR(AddLooks(experiment, &plan));
  TrialMaker maker(experiment, &plan);
  if (experiment.has_ladder()) {
    maker.AddLadder();
  } else if (IsInRounds(experiment)) {
    maker.AddRounds();
  } else {
    maker.AddSets();
  }
  return plan;
}

namespace {

int32_t BaselineIndex(const v1::Plan& plan) {
  for (int32_t i = 0; plan.comparisons_size() > 0 && i < plan.arms_size(); ++i) {
    if (plan.arms(i).name() == plan.comparisons(0).baseline()) return i;
  }
  return 0;
}

}  // namespace

v1::TrialSpec MakeTrialSpec(const v1::Experiment& experiment, const v1::Plan& plan, int32_t trial) {
  v1::TrialSpec spec;
  *spec.mutable_trial() = plan.trials(trial);
  const v1::Cell& cell = plan.cells(spec.trial().cell());
  *spec.mutable_arms() = plan.arms();
  for (v1::PlannedArm& arm : *spec.mutable_arms()) {
    if (cell.has_delay_ns() && arm.kind() == v1::ARM_KIND_KNOWN_DELAY) {
      arm.set_known_delay_ns(cell.delay_ns());
    }
    for (const v1::ConfigValue& level : cell.levels()) {
      if (!IsDelayFactor(experiment, level.name())) ReplaceSetting(level, arm.mutable_config());
    }
  }
  AddServices(experiment, cell, &spec);
  spec.set_warmup_sets(plan.warmup_sets());
  spec.set_sets(plan.sets());
  spec.set_sets_per_block(plan.sets_per_block());
  spec.set_washout(plan.washout());
  spec.set_washout_arm(BaselineIndex(plan));
  spec.set_iterations(plan.iterations());
  spec.set_delay_place(experiment.ladder().at());
  *spec.mutable_pin() = experiment.design().pin();
  spec.set_gates(experiment.gates());
  spec.set_timeout_ns(experiment.workload().timeout_ns());
  spec.set_arms_per_set(plan.pairing() == v1::PAIRING_ROUNDS ? 1 : plan.arms_size());
  return spec;
}

std::string SerializePlan(const v1::Plan& plan) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  plan.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

}  // namespace tare::coordinator
