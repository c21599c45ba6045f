// From samples to units: one estimate a process (or a round), the only numbers that inference uses.
//
// A unit of a design with sets estimates candidate - baseline from the differences inside its sets,
// freed of their order; of a balanced order from samples with equal predecessors; of `rounds` from
// the two processes of one round.

#ifndef TARE_COORDINATOR_ANALYSIS_UNITS_H_
#define TARE_COORDINATOR_ANALYSIS_UNITS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/rounds.h"

namespace tare::coordinator {

struct Unit {
  int32_t round = 0;
  // The same trial in-process.
  const UsedTrial* baseline_trial = nullptr;
  const UsedTrial* candidate_trial = nullptr;
  double baseline_ns = 0;  // medians
  double candidate_ns = 0;
  double difference_ns = 0;         // the unit's estimate of candidate - baseline
  std::optional<double> log_ratio;  // absent when a ratio makes no sense
  // The k-th sample of the candidate minus the k-th of the baseline.
  std::vector<double> set_differences_ns;
  // The estimate is freed of order: both orders occur often enough. Always false in rounds, where
  // order is a property of all units together.
  bool is_order_free = false;
  std::optional<double> position_effect_ns;
  // What a candidate does to the next sample, and the difference without it; both or none.
  std::optional<double> carry_over_ns;
  std::optional<double> free_difference_ns;
  // The square of the error that the samples leave in difference_ns, from medians of blocks; absent
  // when there are too few samples.
  std::optional<double> squared_error_ns2;
  // Its group in each of CellComparison.levels.
  std::vector<size_t> groups = {};
};

// A level above the units, of which this comparison has two groups or more.
struct UnitLevel {
  std::string name;  // "host"
  size_t groups_count = 0;
};

// One planned comparison in one cell. Points into the plan and the rounds.
struct CellComparison {
  const v1::PlannedComparison* planned = nullptr;
  const v1::Cell* cell = nullptr;
  uint32_t baseline = 0;  // indices into Plan.arms
  uint32_t candidate = 0;
  std::vector<Unit> units;  // in the order of rounds
  // The lowest first; empty where all units ran on one host. Set by AssignLevels, as is `scope`,
  // which is unspecified without levels.
  std::vector<UnitLevel> levels = {};
  v1::Scope scope = v1::SCOPE_UNSPECIFIED;

  std::vector<double> Differences() const;
  std::vector<double> LogRatios() const;  // shorter than units where some have none
  // What tests rest on: log ratios in rounds, otherwise differences.
  std::vector<double> Scores(v1::Pairing pairing) const;
};

// The largest tick over the processes of the trials, per operation; 0 when none reported one.
double LargestTickNs(const v1::Plan& plan, const Rounds& rounds);

// Every planned comparison in every cell, comparisons in the order of the plan, cells inside. Of
// the trials that keep `studied` in place of the plan's order; unspecified: of those that do not.
// InvalidArgument when a comparison names an arm that the plan does not have.
absl::StatusOr<std::vector<CellComparison>> MakeComparisons(
    const v1::Plan& plan, const Rounds& rounds, v1::Order studied = v1::ORDER_UNSPECIFIED);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_UNITS_H_
