#include "coordinator/analysis/rounds.h"

#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {
namespace {

enum class Standing {
  kComplete,
  kShort,        // counted, but samples are missing
  kFailed,       // a program failed, or the agent would not measure
  kInterrupted,  // cancelled, or its agent was lost
  kAbsent,       // never attempted, or not counted yet
};

Standing StandingOf(const v1::Trial& planned, const TrialData& data, const TimedSamples& samples) {
  switch (data.record.outcome()) {
    case v1::TRIAL_OUTCOME_FAILED:
    case v1::TRIAL_OUTCOME_REFUSED:
      return Standing::kFailed;
    case v1::TRIAL_OUTCOME_CANCELLED:
    case v1::TRIAL_OUTCOME_LOST:
      return Standing::kInterrupted;
    default:
      break;
  }
  if (!data.is_counted) return Standing::kAbsent;
  const bool is_full = samples.delivered_count == planned.sample_arms_size() &&
                       data.record.samples_count() == samples.delivered_count &&
                       samples.delivered_count > 0;
  return is_full ? Standing::kComplete : Standing::kShort;
}

// What the code behind relies on; a plan made by tare always keeps it.
absl::Status CheckPlan(const v1::Plan& plan) {
  for (const v1::Trial& trial : plan.trials()) {
    const bool has_cell = trial.cell() >= 0 && trial.cell() < plan.cells_size();
    bool has_arms = trial.roles_size() > 0;
    for (uint32_t arm : trial.sample_arms()) {
      has_arms &= arm < static_cast<uint32_t>(plan.arms_size());
    }
    if (has_cell && has_arms) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("trial ", trial.trial(),
                                  " of the plan names a cell, role or arm that it does not have"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::map<int32_t, const TrialData*>> IndexTrials(const RunData& data) {
  std::map<int32_t, const TrialData*> by_trial;
  for (const TrialData& trial : data.trials) {
    if (trial.trial < 0 || trial.trial >= data.plan.trials_size()) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("trial ", trial.trial, " is not in the plan of ",
                                    data.plan.trials_size(), " trials"));
    }
    if (!by_trial.emplace(trial.trial, &trial).second) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("trial ", trial.trial, " is given twice"));
    }
  }
  return by_trial;
}

void SayWhatIsMissing(const RunData& data, int absent, Rounds* rounds) {
  const int unfinished = rounds->rounds_planned - rounds->rounds_counted;
  if (!data.is_final || data.is_stopped_early || unfinished == 0) return;
  if (absent > 0 && !data.is_cancelled) {
    rounds->incomplete.push_back(
        absl::StrCat(absent, " of ", data.plan.trials_size(), " trials were never completed"));
  }
  rounds->left_out = absl::StrCat(unfinished, " of ", rounds->rounds_planned,
                                  " rounds are unfinished and left out whole",
                                  data.is_cancelled ? ": the run was stopped" : "");
}

}  // namespace

std::string NameTrial(const v1::Plan& plan, const v1::Trial& planned) {
  const std::string cell = NameCell(plan.cells(planned.cell()));
  return absl::StrCat("trial ", planned.trial(), " (round ", planned.round(),
                      cell.empty() ? "" : ", ", cell, ")");
}

absl::StatusOr<Rounds> ReadRounds(const RunData& data) {
  RETURN_IF_ERROR(CheckPlan(data.plan));
  ASSIGN_OR_RETURN(const auto by_trial, IndexTrials(data));
  Rounds rounds;
  std::set<int32_t> planned_rounds;
  std::set<int32_t> unfinished_rounds;
  std::vector<UsedTrial> complete;
  int absent = 0;
  for (const v1::Trial& planned : data.plan.trials()) {
    planned_rounds.insert(planned.round());
    const auto found = by_trial.find(planned.trial());
    Standing standing = Standing::kAbsent;
    TimedSamples samples;
    if (found != by_trial.end()) {
      ASSIGN_OR_RETURN(samples, ReadSamples(data.plan, planned, *found->second));
      standing = StandingOf(planned, *found->second, samples);
    }
    if (standing == Standing::kComplete) {
      ++rounds.trials_counted;
      rounds.samples_count += samples.delivered_count;
      complete.push_back({&planned, found->second, std::move(samples)});
      continue;
    }
    unfinished_rounds.insert(planned.round());
    absent += standing == Standing::kAbsent;
    if (standing == Standing::kFailed) rounds.failed.push_back(found->second);
    if (standing == Standing::kShort) {
      rounds.incomplete.push_back(absl::StrCat(NameTrial(data.plan, planned), " has ",
                                               samples.delivered_count, " of ",
                                               planned.sample_arms_size(), " samples"));
    }
  }
  for (UsedTrial& trial : complete) {
    if (!unfinished_rounds.contains(trial.planned->round())) {
      rounds.trials.push_back(std::move(trial));
    }
  }
  rounds.rounds_planned = static_cast<int32_t>(planned_rounds.size());
  rounds.rounds_counted = static_cast<int32_t>(planned_rounds.size() - unfinished_rounds.size());
  SayWhatIsMissing(data, absent, &rounds);
  return rounds;
}

}  // namespace tare::coordinator
