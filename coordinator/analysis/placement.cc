#include "coordinator/analysis/placement.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "stats/explained_share.h"
#include "stats/moments.h"

namespace tare::coordinator {
namespace {

constexpr double kExplainedShareMin = 0.5;
// A process belongs to a group when this share of its looks agree; else it is "mixed".
constexpr double kAgreementMin = 0.8;
constexpr char kMixed[] = "mixed";

// How often each name was seen over the looks at a process: two a block, at its start and end.
using Looks = std::map<std::string, int>;

std::optional<int32_t> CpuOf(const v1::Placement& placement, bool is_first) {
  if (is_first) {
    return placement.has_cpu_first() ? std::optional(placement.cpu_first()) : std::nullopt;
  }
  return placement.has_cpu_last() ? std::optional(placement.cpu_last()) : std::nullopt;
}

bool IsRole(const v1::Trial& planned, const std::string& process) {
  return std::any_of(planned.roles().begin(), planned.roles().end(),
                     [&process](const v1::Role& role) { return role.role() == process; });
}

// Where the process of `role` is, against the services; in lockstep the processes of other arms are
// neither.
void LookAt(const v1::Trial& planned, const std::string& role, const v1::BlockEvidence& evidence,
            bool is_first, Looks* looks) {
  std::optional<int32_t> workload;
  for (const v1::Placement& placement : evidence.placements()) {
    if (placement.process() == role) workload = CpuOf(placement, is_first);
  }
  if (!workload.has_value()) return;
  bool has_service = false;
  bool is_same = false;
  for (const v1::Placement& placement : evidence.placements()) {
    if (IsRole(planned, placement.process())) continue;
    const std::optional<int32_t> service = CpuOf(placement, is_first);
    has_service |= service.has_value();
    is_same |= service == workload;
  }
  ++(*looks)[has_service ? (is_same ? "same core" : "other core")
                         : absl::StrCat("cpu ", *workload)];
}

// Of the process of `role`. Empty when nothing is recorded.
std::string GroupOf(const UsedTrial& trial, const std::string& role) {
  Looks looks;
  int total = 0;
  for (const v1::SampleBlock& block : trial.data->blocks) {
    if (block.is_warmup()) continue;
    LookAt(*trial.planned, role, block.evidence(), true, &looks);
    LookAt(*trial.planned, role, block.evidence(), false, &looks);
  }
  for (const auto& [name, count] : looks) total += count;
  for (const auto& [name, count] : looks) {
    if (count >= kAgreementMin * total) return name;
  }
  return total == 0 ? "" : kMixed;
}

// The role that runs `arm`; empty when none does.
std::string RoleOf(const UsedTrial& trial, const std::string& arm) {
  for (const v1::Role& role : trial.planned->roles()) {
    if (role.arm() == arm) return role.role();
  }
  return "";
}

// In lockstep each arm has a process of its own, and where either of them runs may matter.
std::string GroupOf(const Unit& unit, const CellComparison& comparison, v1::Pairing pairing) {
  const UsedTrial& trial = *unit.baseline_trial;
  if (pairing != v1::PAIRING_LOCKSTEP) return GroupOf(trial, trial.planned->roles(0).role());
  const v1::PlannedComparison& planned = *comparison.planned;
  const std::string baseline = GroupOf(trial, RoleOf(trial, planned.baseline()));
  const std::string candidate = GroupOf(trial, RoleOf(trial, planned.candidate()));
  if (baseline.empty() || candidate.empty()) return "";
  return baseline == candidate ? baseline : absl::StrCat(baseline, " / ", candidate);
}

v1::PlacementGroup SummarizeGroup(const std::string& name, const std::vector<const Unit*>& units) {
  std::vector<double> baseline;
  std::vector<double> candidate;
  std::vector<double> difference;
  for (const Unit* unit : units) {
    baseline.push_back(unit->baseline_ns);
    candidate.push_back(unit->candidate_ns);
    difference.push_back(unit->difference_ns);
  }
  v1::PlacementGroup group;
  group.set_name(name);
  group.set_processes(static_cast<int32_t>(units.size()));
  group.set_baseline_median_ns(stats::Mean(baseline).value_or(0));
  group.set_candidate_median_ns(stats::Mean(candidate).value_or(0));
  group.set_difference_ns(stats::Mean(difference).value_or(0));
  return group;
}

// One of the three things about a process that where it ran may explain.
struct Quantity {
  absl::string_view name;
  std::vector<double> values;
};

// The quantity that the groups explain best, and how much of its variance.
struct Explanation {
  absl::string_view name;
  double share = 0;
};

absl::StatusOr<Explanation> ExplainBest(const std::vector<Quantity>& quantities,
                                        const std::vector<size_t>& memberships) {
  absl::StatusOr<Explanation> best = absl::FailedPreconditionError("nothing to explain");
  for (const Quantity& quantity : quantities) {
    const absl::StatusOr<double> share = stats::ExplainedShare(quantity.values, memberships);
    if (!share.ok()) continue;
    if (!best.ok() || *share > best->share) best = Explanation{quantity.name, *share};
  }
  return best;
}

std::string Describe(const Explanation& explanation) {
  return absl::StrFormat("where the processes ran explains %.0f %% of the variance of their %s%s",
                         100 * explanation.share, explanation.name,
                         explanation.share > kExplainedShareMin
                             ? "; 'pin: same-core' or 'pin: other-core' would settle it"
                             : "");
}

}  // namespace

v1::PlacementResult ExplainByPlacement(const CellComparison& comparison, v1::Pairing pairing) {
  v1::PlacementResult result;
  result.set_status(v1::CHECK_STATUS_NOT_RUN);
  std::map<std::string, std::vector<const Unit*>> groups;
  std::vector<Quantity> quantities = {
      {"differences", {}}, {"baseline medians", {}}, {"candidate medians", {}}};
  std::vector<size_t> memberships;
  std::vector<std::string> names;
  for (const Unit& unit : comparison.units) {
    const std::string name = GroupOf(unit, comparison, pairing);
    if (name.empty()) continue;
    groups[name].push_back(&unit);
    const auto known = std::find(names.begin(), names.end(), name);
    memberships.push_back(static_cast<size_t>(known - names.begin()));
    if (known == names.end()) names.push_back(name);
    quantities[0].values.push_back(unit.difference_ns);
    quantities[1].values.push_back(unit.baseline_ns);
    quantities[2].values.push_back(unit.candidate_ns);
  }
  if (groups.empty()) {
    result.set_text("no placement is recorded");
    return result;
  }
  for (const auto& [name, units] : groups) *result.add_groups() = SummarizeGroup(name, units);
  const absl::StatusOr<Explanation> best = ExplainBest(quantities, memberships);
  if (!best.ok()) {
    result.set_text(groups.size() == 1 ? absl::StrCat("all processes are in the group '",
                                                      groups.begin()->first, "'")
                                       : "too few processes a group to compare");
    return result;
  }
  result.set_explained_share(best->share);
  result.set_status(best->share > kExplainedShareMin ? v1::CHECK_STATUS_WARNED
                                                     : v1::CHECK_STATUS_PASSED);
  result.set_text(Describe(*best));
  return result;
}

}  // namespace tare::coordinator
