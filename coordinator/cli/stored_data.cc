#include "coordinator/cli/stored_data.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

// The attempt that stands for a trial: the counted one, else the last with a record, else the last.
bool IsBetter(const AttemptSummary& a, const AttemptSummary& b) {
  if (a.is_counted != b.is_counted) return a.is_counted;
  if (a.has_record != b.has_record) return a.has_record;
  return a.attempt > b.attempt;
}

absl::StatusOr<TrialData> LoadAttempt(Store& store, const std::string& run,
                                      const AttemptSummary& attempt) {
  TrialData data;
  data.trial = attempt.trial;
  data.attempt = attempt.attempt;
  data.is_counted = attempt.is_counted;
  data.record = attempt.record;
  RETURN_IF_ERROR(
      store.ReadBlocks(run, attempt.trial, attempt.attempt,
                       [&data](const std::string& /*role*/, const v1::SampleBlock& block) {
                         data.blocks.push_back(block);
                         return absl::OkStatus();
                       }));
  return data;
}

}  // namespace

absl::StatusOr<RunData> LoadRunData(Store& store, const std::string& run) {
  ASSIGN_OR_RETURN(StoredRun stored, store.LoadRun(run));
  ASSIGN_OR_RETURN(const std::vector<AttemptSummary> attempts, store.ListAttempts(run));
  RunData data;
  data.run = run;
  data.experiment = std::move(stored.experiment);
  data.plan = std::move(stored.plan);
  data.is_final = true;
  data.is_cancelled = stored.summary.state == RunState::kCancelled;
  data.is_stopped_early = stored.summary.state == RunState::kComplete &&
                          stored.summary.trials_counted < stored.summary.trials_planned;
  std::map<int32_t, const AttemptSummary*> chosen;
  for (const AttemptSummary& attempt : attempts) {
    const AttemptSummary*& best = chosen[attempt.trial];
    if (best == nullptr || IsBetter(attempt, *best)) best = &attempt;
  }
  data.attempts_discarded = static_cast<int32_t>(attempts.size() - chosen.size());
  for (const auto& [trial, attempt] : chosen) {
    ASSIGN_OR_RETURN(TrialData trial_data, LoadAttempt(store, run, *attempt));
    data.trials.push_back(std::move(trial_data));
  }
  return data;
}

absl::StatusOr<TrialData> LoadTrialData(Store& store, const std::string& run, int32_t trial) {
  ASSIGN_OR_RETURN(const std::vector<AttemptSummary> attempts, store.ListAttempts(run));
  const AttemptSummary* best = nullptr;
  for (const AttemptSummary& attempt : attempts) {
    if (attempt.trial == trial && (best == nullptr || IsBetter(attempt, *best))) best = &attempt;
  }
  if (best == nullptr) return absl::NotFoundError(absl::StrCat("trial ", trial, " has no attempt"));
  return LoadAttempt(store, run, *best);
}

absl::StatusOr<std::set<int32_t>> CountedTrials(Store& store, const std::string& run) {
  ASSIGN_OR_RETURN(const std::vector<AttemptSummary> attempts, store.ListAttempts(run));
  std::set<int32_t> counted;
  for (const AttemptSummary& attempt : attempts) {
    if (attempt.is_counted) counted.insert(attempt.trial);
  }
  return counted;
}

absl::StatusOr<int32_t> StoreAttemptLog::Open(int32_t trial, const std::string& agent,
                                              int64_t epoch) {
  return store_->AddAttempt(run_, trial, agent, epoch);
}

absl::Status StoreAttemptLog::CloseLost(int32_t trial, int32_t attempt, const absl::Status& why) {
  const ErrorParts parts = PartsOf(why);
  v1::TrialRecord record;
  record.set_outcome(v1::TRIAL_OUTCOME_LOST);
  record.set_code("incomplete");
  record.set_message(parts.what);
  record.set_detail(parts.detail);
  record.set_advice(parts.action);
  return store_->CloseAttempt(run_, trial, attempt, record);
}

absl::StatusOr<v1::TrialRecord> StoreAttemptLog::Record(int32_t trial, int32_t attempt) {
  ASSIGN_OR_RETURN(const std::vector<AttemptSummary> attempts, store_->ListAttempts(run_));
  for (const AttemptSummary& summary : attempts) {
    if (summary.trial == trial && summary.attempt == attempt && summary.has_record) {
      return summary.record;
    }
  }
  return absl::InternalError(
      absl::StrCat("attempt ", attempt, " at trial ", trial, " is committed without a record"));
}

}  // namespace tare::coordinator
