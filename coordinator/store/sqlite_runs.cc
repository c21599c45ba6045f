#include "coordinator/store/sqlite_runs.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "coordinator/store/stored_message.h"

namespace tare::coordinator {
namespace {

constexpr size_t kMatchesShownMax = 5;

// Columns 0 to 6 of every query that reads a RunSummary.
constexpr char kSummaryColumns[] =
    "run, name, created_unix_ns, state, trials_planned,"
    " (SELECT count(*) FROM attempts WHERE attempts.run_id = runs.run_id AND is_counted),"
    " (SELECT coalesce(sum(samples_count), 0) FROM attempts JOIN chunks USING (attempt_id)"
    "  WHERE attempts.run_id = runs.run_id AND is_counted)";

absl::StatusOr<RunState> ParseRunState(const std::string& name) {
  for (RunState state :
       {RunState::kRunning, RunState::kComplete, RunState::kCancelled, RunState::kFailed}) {
    if (name == RunStateName(state)) return state;
  }
  return MakeError(absl::StatusCode::kDataLoss,
                   absl::StrCat("no run can be in state '", name, "'"));
}

absl::StatusOr<RunSummary> ReadSummary(const Statement& row) {
  RunSummary summary;
  summary.run = row.Text(0);
  summary.name = row.Text(1);
  summary.created_unix_ns = row.Integer(2);
  ASSIGN_OR_RETURN(summary.state, ParseRunState(row.Text(3)));
  summary.trials_planned = static_cast<int32_t>(row.Integer(4));
  summary.trials_counted = static_cast<int32_t>(row.Integer(5));
  summary.samples_count = row.Integer(6);
  return summary;
}

absl::Status NoSuchRun(const Database& database, const std::string& run) {
  return MakeError(absl::StatusCode::kNotFound,
                   absl::StrCat("store '", database.path(), "' has no run '", run, "'"))
      .Try("tare list");
}

}  // namespace

absl::Status InsertRun(Database* database, const std::string& run, int64_t created_unix_ns,
                       const v1::Experiment& experiment, const v1::Plan& plan) {
  const std::string experiment_bytes = experiment.SerializeAsString();
  const std::string plan_bytes = plan.SerializeAsString();
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  const absl::Status found = FindRun(database, run).status();
  if (found.ok()) {
    return MakeError(absl::StatusCode::kAlreadyExists,
                     absl::StrCat("store '", database->path(), "' already has run '", run, "'"));
  }
  if (!absl::IsNotFound(found)) return found;
  ASSIGN_OR_RETURN(
      Statement insert,
      database->Prepare("INSERT INTO runs (run, name, created_unix_ns, state, trials_planned,"
                        " experiment, experiment_crc32c, plan, plan_crc32c)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.BindText(run)
      .BindText(experiment.name())
      .BindInteger(created_unix_ns)
      .BindText(RunStateName(RunState::kRunning))
      .BindInteger(plan.trials_size())
      .BindBlob(experiment_bytes)
      .BindInteger(Crc32c(experiment_bytes))
      .BindBlob(plan_bytes)
      .BindInteger(Crc32c(plan_bytes));
  RETURN_IF_ERROR(insert.Run());
  return transaction.Commit();
}

absl::Status UpdateRunState(Database* database, const std::string& run, RunState state) {
  ASSIGN_OR_RETURN(Statement update, database->Prepare("UPDATE runs SET state = ? WHERE run = ?"));
  update.BindText(RunStateName(state)).BindText(run);
  RETURN_IF_ERROR(update.Run());
  return database->ChangedRows() > 0 ? absl::OkStatus() : NoSuchRun(*database, run);
}

absl::StatusOr<std::vector<RunSummary>> SelectRuns(Database* database) {
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare(absl::StrCat("SELECT ", kSummaryColumns,
                                                  " FROM runs ORDER BY created_unix_ns DESC,"
                                                  " run DESC")));
  std::vector<RunSummary> runs;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return runs;
    ASSIGN_OR_RETURN(RunSummary summary, ReadSummary(select));
    runs.push_back(std::move(summary));
  }
}

absl::StatusOr<std::string> ResolveRun(Database* database, const std::string& name) {
  const bool is_last = name == "last";
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare("SELECT run FROM runs"
                                     " WHERE ?1 = 'last' OR substr(run, 1, length(?1)) = ?1"
                                     " ORDER BY created_unix_ns DESC, run DESC"));
  select.BindText(name);
  std::vector<std::string> matches;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) break;
    matches.push_back(select.Text(0));
    if (is_last || matches.back() == name) return matches.back();
  }
  if (matches.empty()) {
    if (!is_last) return NoSuchRun(*database, name);
    return MakeError(absl::StatusCode::kNotFound,
                     absl::StrCat("store '", database->path(), "' has no runs"))
        .Try("tare run FILE");
  }
  if (matches.size() == 1) return matches.front();
  const size_t matches_count = matches.size();
  if (matches_count > kMatchesShownMax) {
    matches.resize(kMatchesShownMax);
    matches.push_back("…");
  }
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("'", name, "' is the beginning of ", matches_count, " runs"))
      .Detail(absl::StrJoin(matches, ", "))
      .Try("give more of the run's name");
}

absl::StatusOr<StoredRun> SelectRun(Database* database, const std::string& run) {
  ASSIGN_OR_RETURN(Statement select, database->Prepare(absl::StrCat(
                                         "SELECT ", kSummaryColumns,
                                         ", experiment, experiment_crc32c, plan, plan_crc32c"
                                         " FROM runs WHERE run = ?")));
  select.BindText(run);
  ASSIGN_OR_RETURN(const bool has_row, select.Step());
  if (!has_row) return NoSuchRun(*database, run);
  StoredRun stored;
  ASSIGN_OR_RETURN(stored.summary, ReadSummary(select));
  RETURN_IF_ERROR(ParseStored(absl::StrCat("the experiment of run '", run, "'"), select.Blob(7),
                              select.Integer(8), &stored.experiment));
  RETURN_IF_ERROR(ParseStored(absl::StrCat("the plan of run '", run, "'"), select.Blob(9),
                              select.Integer(10), &stored.plan));
  return stored;
}

absl::StatusOr<RunRow> FindRun(Database* database, const std::string& run) {
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare("SELECT run_id, trials_planned FROM runs WHERE run = ?"));
  select.BindText(run);
  ASSIGN_OR_RETURN(const bool has_row, select.Step());
  if (!has_row) return NoSuchRun(*database, run);
  return RunRow{select.Integer(0), static_cast<int32_t>(select.Integer(1))};
}

}  // namespace tare::coordinator
