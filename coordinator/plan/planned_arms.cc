#include "coordinator/plan/planned_arms.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {
namespace {

using google::protobuf::RepeatedPtrField;

// Of the baseline's median, without a threshold.
constexpr int64_t kKnownDelaySharePpm = 50'000;
constexpr char kDelayedArm[] = "delayed";

// The arms that `compare` starts from, in its order; of a lone arm, the arm itself.
std::vector<std::string> BaselinesOf(const v1::Experiment& experiment) {
  std::vector<std::string> baselines;
  for (const v1::Comparison& comparison : experiment.compare()) {
    if (std::find(baselines.begin(), baselines.end(), comparison.baseline()) == baselines.end()) {
      baselines.push_back(comparison.baseline());
    }
  }
  if (baselines.empty()) baselines.push_back(experiment.arms(0).name());
  return baselines;
}

const v1::PlannedArm& FindArm(const v1::Plan& plan, const std::string& name) {
  return *std::find_if(plan.arms().begin(), plan.arms().end(),
                       [&name](const v1::PlannedArm& arm) { return arm.name() == name; });
}

void AddComparison(v1::ComparisonKind kind, const std::string& baseline,
                   const std::string& candidate, v1::Plan* plan) {
  v1::PlannedComparison* comparison = plan->add_comparisons();
  comparison->set_kind(kind);
  comparison->set_baseline(baseline);
  comparison->set_candidate(candidate);
}

// An arm that repeats `baseline`, and its comparison with it.
v1::PlannedArm* AddCheckArm(const std::string& name, const std::string& baseline, v1::ArmKind kind,
                            v1::ComparisonKind comparison_kind, v1::Plan* plan) {
  v1::PlannedArm arm = FindArm(*plan, baseline);
  arm.set_name(name);
  arm.set_kind(kind);
  arm.set_repeats(baseline);
  AddComparison(comparison_kind, baseline, name, plan);
  *plan->add_arms() = std::move(arm);
  return plan->mutable_arms(plan->arms_size() - 1);
}

// The arm of the experiment that repeats `baseline`, if there is one.
const v1::Arm* FindControl(const v1::Experiment& experiment, const std::string& baseline) {
  for (const v1::Arm& arm : experiment.arms()) {
    if (arm.same_as() == baseline) return &arm;
  }
  return nullptr;
}

// An automatic delay is the threshold: what matters must be seen.
void SetKnownDelay(const v1::Threshold& threshold, int64_t asked_ns, v1::PlannedArm* arm) {
  arm->set_known_delay_ns(asked_ns);
  if (asked_ns >= 0) return;
  if (threshold.has_absolute_ns() && !threshold.has_relative_ppm()) {
    arm->set_known_delay_ns(threshold.absolute_ns());
    return;
  }
  arm->set_known_delay_share_ppm(threshold.has_relative_ppm() ? threshold.relative_ppm()
                                                              : kKnownDelaySharePpm);
  arm->set_known_delay_min_ns(threshold.absolute_ns());
}

// The arm of a ladder and the arm that waits; how long is a matter of the cell.
void AddLadderArms(const v1::Ladder& ladder, v1::Plan* plan) {
  AddCheckArm(kDelayedArm, ladder.arm(), v1::ARM_KIND_KNOWN_DELAY, v1::COMPARISON_KIND_KNOWN_DELAY,
              plan);
}

}  // namespace

void AddArms(const v1::Experiment& experiment, v1::Plan* plan) {
  for (const v1::Arm& written : experiment.arms()) {
    if (written.has_same_as()) continue;
    v1::PlannedArm* arm = plan->add_arms();
    arm->set_name(written.name());
    arm->set_kind(v1::ARM_KIND_SUBJECT);
    *arm->mutable_config() = experiment.workload().config();
    for (const v1::ConfigValue& value : written.config())
      ReplaceSetting(value, arm->mutable_config());
    *arm->mutable_uses() = written.uses();
  }
  if (experiment.has_ladder()) return AddLadderArms(experiment.ladder(), plan);
  for (const v1::Comparison& comparison : experiment.compare()) {
    AddComparison(v1::COMPARISON_KIND_SUBJECT, comparison.baseline(), comparison.candidate(), plan);
  }
  const std::vector<std::string> baselines = BaselinesOf(experiment);
  auto name_of = [&baselines](absl::string_view name, const std::string& baseline) {
    return baselines.size() == 1 ? std::string(name) : absl::StrCat(name, "-of-", baseline);
  };
  for (const std::string& baseline : baselines) {
    const v1::Arm* own = FindControl(experiment, baseline);
    if (own == nullptr && experiment.checks().control() != v1::SWITCH_ON) continue;
    AddCheckArm(own == nullptr ? name_of("control", baseline) : own->name(), baseline,
                v1::ARM_KIND_CONTROL, v1::COMPARISON_KIND_CONTROL, plan);
  }
  const int64_t known_delay_ns = experiment.checks().known_delay_ns();
  if (known_delay_ns == 0 || experiment.design().pairing() == v1::PAIRING_ROUNDS) return;
  for (const std::string& baseline : baselines) {
    v1::PlannedArm* arm =
        AddCheckArm(name_of("known-delay", baseline), baseline, v1::ARM_KIND_KNOWN_DELAY,
                    v1::COMPARISON_KIND_KNOWN_DELAY, plan);
    SetKnownDelay(experiment.threshold(), known_delay_ns, arm);
  }
}

void ReplaceSetting(const v1::ConfigValue& value, RepeatedPtrField<v1::ConfigValue>* config) {
  for (v1::ConfigValue& existing : *config) {
    if (existing.name() == value.name()) {
      existing = value;
      return;
    }
  }
  *config->Add() = value;
}

}  // namespace tare::coordinator
