#include "coordinator/analysis/units.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/block_medians.h"
#include "stats/carry_over.h"
#include "stats/grouped_median.h"
#include "stats/log_ratio.h"
#include "stats/order_strata.h"

namespace tare::coordinator {
namespace {

using stats::SamplesAfter;

struct UnitInput {
  const v1::Plan& plan;
  const CellComparison& comparison;
  double tick_ns = 0;
  v1::Order studied = v1::ORDER_UNSPECIFIED;

  v1::Order order() const { return studied == v1::ORDER_UNSPECIFIED ? plan.order() : studied; }
};

std::vector<double> ValuesOf(const TimedSamples& samples, uint32_t arm) {
  std::vector<double> values;
  for (size_t i : samples.IndicesOf(arm)) values.push_back(samples.values_ns[i]);
  return values;
}

// What all designs have in common: medians of both arms and differences of the k-th samples.
absl::StatusOr<Unit> StartUnit(const UnitInput& input, const UsedTrial& baseline_trial,
                               const UsedTrial& candidate_trial) {
  const std::vector<double> baseline = ValuesOf(baseline_trial.samples, input.comparison.baseline);
  const std::vector<double> candidate =
      ValuesOf(candidate_trial.samples, input.comparison.candidate);
  Unit unit;
  unit.round = baseline_trial.planned->round();
  unit.baseline_trial = &baseline_trial;
  unit.candidate_trial = &candidate_trial;
  ASSIGN_OR_RETURN(unit.baseline_ns, stats::GroupedMedian(baseline, input.tick_ns));
  ASSIGN_OR_RETURN(unit.candidate_ns, stats::GroupedMedian(candidate, input.tick_ns));
  unit.difference_ns = unit.candidate_ns - unit.baseline_ns;
  const size_t sets = std::min(baseline.size(), candidate.size());
  for (size_t k = 0; k < sets; ++k) {
    unit.set_differences_ns.push_back(candidate[k] - baseline[k]);
  }
  return unit;
}

void SetLogRatio(Unit* unit) {
  const absl::StatusOr<double> log_ratio =
      stats::LogRatio(unit->baseline_ns, unit->baseline_ns + unit->difference_ns);
  if (log_ratio.ok()) unit->log_ratio = *log_ratio;
}

void SetCarryOver(const SamplesAfter& after_baseline, const SamplesAfter& after_candidate,
                  double tick_ns, Unit* unit) {
  const absl::StatusOr<stats::CarryOver> carry =
      stats::EstimateCarryOver(after_baseline, after_candidate, tick_ns);
  const std::vector<SamplesAfter> predecessors = {after_baseline, after_candidate};
  const absl::StatusOr<double> free = stats::DifferenceAfterSame(predecessors, tick_ns);
  if (!carry.ok() || !free.ok()) return;  // a stratum is too thin: this process cannot say
  unit->carry_over_ns = carry->mean;
  unit->free_difference_ns = *free;
}

// `strata` tells the two orders of the sets apart; empty where order does not matter.
void SetSquaredError(std::span<const double> differences, std::span<const size_t> strata,
                     double tick_ns, Unit* unit) {
  const absl::StatusOr<double> error = stats::SquaredErrorOfMedian(differences, strata, tick_ns);
  if (error.ok()) unit->squared_error_ns2 = *error;
}

// The samples of the two arms by the arm of the sample before, taking every `stride`-th.
std::vector<SamplesAfter> SplitByPredecessor(const UnitInput& input, const TimedSamples& samples,
                                             size_t stride) {
  std::vector<SamplesAfter> predecessors(static_cast<size_t>(input.plan.arms_size()));
  for (size_t i = stride; i < samples.arms.size(); i += stride) {
    SamplesAfter& after = predecessors[samples.arms[i - 1]];
    if (samples.arms[i] == input.comparison.baseline)
      after.baseline.push_back(samples.values_ns[i]);
    if (samples.arms[i] == input.comparison.candidate) {
      after.candidate.push_back(samples.values_ns[i]);
    }
  }
  return predecessors;
}

absl::StatusOr<Unit> MakeSetUnit(const UnitInput& input, const UsedTrial& trial) {
  ASSIGN_OR_RETURN(Unit unit, StartUnit(input, trial, trial));
  const std::vector<size_t> baseline = trial.samples.IndicesOf(input.comparison.baseline);
  const std::vector<size_t> candidate = trial.samples.IndicesOf(input.comparison.candidate);
  std::vector<double> baseline_first;
  std::vector<double> candidate_first;
  std::vector<size_t> orders;
  for (size_t k = 0; k < unit.set_differences_ns.size(); ++k) {
    orders.push_back(baseline[k] < candidate[k] ? 0 : 1);
    (baseline[k] < candidate[k] ? baseline_first : candidate_first)
        .push_back(unit.set_differences_ns[k]);
  }
  const absl::StatusOr<stats::StratifiedDifference> stratified =
      stats::EstimateStratified(baseline_first, candidate_first, input.tick_ns);
  if (stratified.ok()) {
    unit.difference_ns = stratified->value;
    unit.position_effect_ns = stratified->position_effect;
    unit.is_order_free = true;
  } else {
    ASSIGN_OR_RETURN(unit.difference_ns,
                     stats::GroupedMedian(unit.set_differences_ns, input.tick_ns));
    orders.clear();
  }
  SetSquaredError(unit.set_differences_ns, orders, input.tick_ns, &unit);
  SetLogRatio(&unit);
  // Only in a random order do the first samples of the sets have predecessors of every arm.
  if (input.order() == v1::ORDER_RANDOM) {
    const std::vector<SamplesAfter> predecessors =
        SplitByPredecessor(input, trial.samples, static_cast<size_t>(input.plan.arms_size()));
    SetCarryOver(predecessors[input.comparison.baseline], predecessors[input.comparison.candidate],
                 input.tick_ns, &unit);
  }
  return unit;
}

absl::StatusOr<Unit> MakeBalancedUnit(const UnitInput& input, const UsedTrial& trial) {
  ASSIGN_OR_RETURN(Unit unit, StartUnit(input, trial, trial));
  const std::vector<SamplesAfter> predecessors = SplitByPredecessor(input, trial.samples, 1);
  const absl::StatusOr<double> difference = stats::DifferenceAfterSame(predecessors, input.tick_ns);
  if (difference.ok()) {
    unit.difference_ns = *difference;
    unit.is_order_free = true;
  }
  SetLogRatio(&unit);
  SetSquaredError(unit.set_differences_ns, {}, input.tick_ns, &unit);
  SetCarryOver(predecessors[input.comparison.baseline], predecessors[input.comparison.candidate],
               input.tick_ns, &unit);
  return unit;
}

absl::StatusOr<Unit> MakeRoundUnit(const UnitInput& input, const UsedTrial& baseline_trial,
                                   const UsedTrial& candidate_trial) {
  ASSIGN_OR_RETURN(Unit unit, StartUnit(input, baseline_trial, candidate_trial));
  SetLogRatio(&unit);
  // Two processes: their errors add up.
  const auto baseline = stats::SquaredErrorOfMedian(
      ValuesOf(baseline_trial.samples, input.comparison.baseline), {}, input.tick_ns);
  const auto candidate = stats::SquaredErrorOfMedian(
      ValuesOf(candidate_trial.samples, input.comparison.candidate), {}, input.tick_ns);
  if (baseline.ok() && candidate.ok()) unit.squared_error_ns2 = *baseline + *candidate;
  return unit;
}

// The trials of one arm in one cell, by round.
std::map<int32_t, const UsedTrial*> TrialsOfArm(const Rounds& rounds, int32_t cell,
                                                absl::string_view arm) {
  std::map<int32_t, const UsedTrial*> by_round;
  for (const UsedTrial& trial : rounds.trials) {
    if (trial.planned->cell() == cell && trial.planned->roles(0).arm() == arm) {
      by_round.emplace(trial.planned->round(), &trial);
    }
  }
  return by_round;
}

absl::Status AddRoundUnits(const UnitInput& input, const Rounds& rounds, std::vector<Unit>* units) {
  const v1::PlannedComparison& planned = *input.comparison.planned;
  const int32_t cell = input.comparison.cell->cell();
  const auto baselines = TrialsOfArm(rounds, cell, planned.baseline());
  const auto candidates = TrialsOfArm(rounds, cell, planned.candidate());
  for (const auto& [round, baseline] : baselines) {
    const auto candidate = candidates.find(round);
    if (candidate == candidates.end()) continue;
    ASSIGN_OR_RETURN(Unit unit, MakeRoundUnit(input, *baseline, *candidate->second));
    units->push_back(std::move(unit));
  }
  return absl::OkStatus();
}

absl::Status AddProcessUnits(const UnitInput& input, const Rounds& rounds,
                             std::vector<Unit>* units) {
  for (const UsedTrial& trial : rounds.trials) {
    if (trial.planned->cell() != input.comparison.cell->cell()) continue;
    if (trial.planned->studied_order() != input.studied) continue;
    absl::StatusOr<Unit> unit = input.order() == v1::ORDER_BALANCED ? MakeBalancedUnit(input, trial)
                                                                    : MakeSetUnit(input, trial);
    RETURN_IF_ERROR(unit.status());
    units->push_back(*std::move(unit));
  }
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> FindArm(const v1::Plan& plan, absl::string_view name) {
  for (int i = 0; i < plan.arms_size(); ++i) {
    if (plan.arms(i).name() == name) return static_cast<uint32_t>(i);
  }
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("arm '", name, "' of a comparison is not in the plan"));
}

}  // namespace

std::vector<double> CellComparison::Differences() const {
  std::vector<double> values;
  for (const Unit& unit : units) values.push_back(unit.difference_ns);
  return values;
}

std::vector<double> CellComparison::LogRatios() const {
  std::vector<double> values;
  for (const Unit& unit : units) {
    if (unit.log_ratio.has_value()) values.push_back(*unit.log_ratio);
  }
  return values;
}

std::vector<double> CellComparison::Scores(v1::Pairing pairing) const {
  return pairing == v1::PAIRING_ROUNDS ? LogRatios() : Differences();
}

double LargestTickNs(const v1::Plan& plan, const Rounds& rounds) {
  int64_t largest = 0;
  for (const UsedTrial& trial : rounds.trials) {
    for (const v1::Process& process : trial.data->record.processes()) {
      largest = std::max(largest, process.clock_tick_ns());
    }
  }
  return static_cast<double>(largest) / std::max(1, plan.iterations());
}

absl::StatusOr<std::vector<CellComparison>> MakeComparisons(const v1::Plan& plan,
                                                            const Rounds& rounds,
                                                            v1::Order studied) {
  const double tick_ns = LargestTickNs(plan, rounds);
  std::vector<CellComparison> comparisons;
  for (const v1::PlannedComparison& planned : plan.comparisons()) {
    for (const v1::Cell& cell : plan.cells()) {
      CellComparison comparison;
      comparison.planned = &planned;
      comparison.cell = &cell;
      ASSIGN_OR_RETURN(comparison.baseline, FindArm(plan, planned.baseline()));
      ASSIGN_OR_RETURN(comparison.candidate, FindArm(plan, planned.candidate()));
      const UnitInput input{plan, comparison, tick_ns, studied};
      RETURN_IF_ERROR(plan.pairing() == v1::PAIRING_ROUNDS
                          ? AddRoundUnits(input, rounds, &comparison.units)
                          : AddProcessUnits(input, rounds, &comparison.units));
      // Trials come in the order of the plan; units are wanted in the order of rounds.
      std::sort(comparison.units.begin(), comparison.units.end(),
                [](const Unit& a, const Unit& b) { return a.round < b.round; });
      comparisons.push_back(std::move(comparison));
    }
  }
  return comparisons;
}

}  // namespace tare::coordinator
