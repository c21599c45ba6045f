#include "coordinator/analysis/work_count.h"

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "coordinator/analysis/text.h"
#include "coordinator/analysis/work.h"

namespace tare::coordinator {
namespace {

constexpr absl::string_view kPrefix = "work_";
constexpr char kOperations[] = "work_operations";

int64_t OperationsOf(const v1::ArmEvidence& evidence) {
  for (const v1::Counter& counter : evidence.counters()) {
    if (counter.name() == kOperations) return counter.value();
  }
  return 0;
}

// Adds the trial's counts to the sums of its arm and cell, in the order of the counters.
void AddTrial(const v1::ArmEvidence& evidence, std::vector<v1::WorkCount>* sums) {
  const int64_t operations = OperationsOf(evidence);
  if (operations <= 0) return;
  for (const v1::Counter& counter : evidence.counters()) {
    absl::string_view name = counter.name();
    if (name == kOperations || !absl::ConsumePrefix(&name, kPrefix)) continue;
    v1::WorkCount* sum = nullptr;
    for (v1::WorkCount& known : *sums) {
      if (known.name() == name) sum = &known;
    }
    if (sum == nullptr) {
      sum = &sums->emplace_back();
      sum->set_name(std::string(name));
    }
    sum->set_per_operation(sum->per_operation() +
                           static_cast<double>(counter.value()) / static_cast<double>(operations));
    sum->set_trials(sum->trials() + 1);
  }
}

}  // namespace

std::vector<v1::WorkCount> CountWork(const v1::Plan& plan, const Rounds& rounds) {
  std::vector<v1::WorkCount> counts;
  for (const v1::PlannedArm& arm : plan.arms()) {
    for (const v1::Cell& cell : plan.cells()) {
      std::vector<v1::WorkCount> sums;
      for (const UsedTrial& trial : rounds.trials) {
        const v1::ArmEvidence* evidence = EvidenceOf(trial, arm.name());
        if (trial.planned->cell() == cell.cell() && evidence != nullptr) AddTrial(*evidence, &sums);
      }
      for (v1::WorkCount& sum : sums) {
        sum.set_arm(arm.name());
        if (cell.levels_size() > 0) sum.set_cell(NameCell(cell));
        sum.set_per_operation(sum.per_operation() / sum.trials());
        counts.push_back(sum);
      }
    }
  }
  return counts;
}

}  // namespace tare::coordinator
