#include "coordinator/store/export_trial.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "coordinator/store/received_chunk.h"

namespace tare::coordinator {
namespace {

RowValue LevelValue(const v1::ConfigValue& level) {
  switch (level.value_case()) {
    case v1::ConfigValue::kText:
      return level.text();
    case v1::ConfigValue::kInteger:
      return int64_t{level.integer()};
    case v1::ConfigValue::kReal:
      return level.real();
    case v1::ConfigValue::kFlag:
      return level.flag();
    case v1::ConfigValue::kList:
      return absl::StrJoin(level.list().values(), ",");
    case v1::ConfigValue::VALUE_NOT_SET:
      break;
  }
  return std::monostate();
}

absl::Status CheckTrial(const v1::Plan& plan, const std::string& run,
                        const AttemptSummary& attempt) {
  const bool has_trial = attempt.trial >= 0 && attempt.trial < plan.trials_size();
  if (has_trial && plan.trials(attempt.trial).cell() >= 0 &&
      plan.trials(attempt.trial).cell() < plan.cells_size()) {
    return absl::OkStatus();
  }
  return MakeError(
      absl::StatusCode::kDataLoss,
      absl::StrCat(AttemptName(run, attempt.trial, attempt.attempt), " is not of the run's plan"));
}

}  // namespace

absl::StatusOr<ExportedRun> LoadExportedRun(Store& store, const std::string& run,
                                            const ExportOptions& options) {
  ASSIGN_OR_RETURN(StoredRun stored, store.LoadRun(run));
  ASSIGN_OR_RETURN(std::vector<AttemptSummary> attempts, store.ListAttempts(run));
  ExportedRun exported;
  exported.run = run;
  exported.plan = std::move(stored.plan);
  for (AttemptSummary& attempt : attempts) {
    if (!attempt.is_counted && !options.all_attempts) continue;
    RETURN_IF_ERROR(CheckTrial(exported.plan, run, attempt));
    exported.attempts.push_back(std::move(attempt));
  }
  exported.columns = {"run", "trial", "round"};
  if (exported.plan.cells_size() > 0) {
    for (const v1::ConfigValue& level : exported.plan.cells(0).levels()) {
      exported.columns.push_back(absl::StrCat("cell_", level.name()));
    }
  }
  exported.columns.insert(exported.columns.end(), {"attempt", "is_counted"});
  return exported;
}

std::vector<RowValue> TrialValues(const ExportedRun& exported, const AttemptSummary& attempt) {
  const v1::Trial& trial = exported.plan.trials(attempt.trial);
  std::vector<RowValue> values = {exported.run, int64_t{attempt.trial}, int64_t{trial.round()}};
  for (const v1::ConfigValue& level : exported.plan.cells(trial.cell()).levels()) {
    values.push_back(LevelValue(level));
  }
  values.emplace_back(int64_t{attempt.attempt});
  values.emplace_back(attempt.is_counted);
  return values;
}

SamplePlace PlaceOf(const v1::Plan& plan, int32_t trial, int64_t index) {
  if (plan.order() == v1::ORDER_BALANCED || plan.order() == v1::ORDER_BLOCKED) return {};
  if (plan.pairing() != v1::PAIRING_ROUNDS) {
    if (plan.arms().empty()) return {};
    return {index / plan.arms_size(), index % plan.arms_size()};
  }
  const v1::Trial& own = plan.trials(trial);
  int64_t position = 0;
  for (int32_t i = 0; i < trial; ++i) {
    const v1::Trial& other = plan.trials(i);
    if (other.round() == own.round() && other.cell() == own.cell()) ++position;
  }
  return {index, position};
}

}  // namespace tare::coordinator
