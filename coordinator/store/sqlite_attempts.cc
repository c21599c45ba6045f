#include "coordinator/store/sqlite_attempts.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "coordinator/store/received_chunk.h"
#include "coordinator/store/sqlite_runs.h"
#include "coordinator/store/stored_message.h"

namespace tare::coordinator {

absl::StatusOr<int32_t> InsertAttempt(Database* database, const std::string& run, int32_t trial,
                                      const std::string& agent, int64_t epoch) {
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  ASSIGN_OR_RETURN(const RunRow row, FindRun(database, run));
  if (trial < 0 || trial >= row.trials_planned) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("run '", run, "' has no trial ", trial))
        .Detail(absl::StrCat("its plan has ", row.trials_planned, " trials, counted from 0"));
  }
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare("SELECT coalesce(max(attempt), 0) + 1 FROM attempts"
                                     " WHERE run_id = ? AND trial = ?"));
  select.BindInteger(row.run_id).BindInteger(trial);
  RETURN_IF_ERROR(select.Step().status());
  const int64_t attempt = select.Integer(0);
  ASSIGN_OR_RETURN(Statement insert,
                   database->Prepare("INSERT INTO attempts (run_id, trial, attempt, agent, epoch)"
                                     " VALUES (?, ?, ?, ?, ?)"));
  insert.BindInteger(row.run_id).BindInteger(trial).BindInteger(attempt);
  insert.BindText(agent).BindInteger(epoch);
  RETURN_IF_ERROR(insert.Run());
  RETURN_IF_ERROR(transaction.Commit());
  return static_cast<int32_t>(attempt);
}

absl::Status InsertClosing(Database* database, const std::string& run, int32_t trial,
                           int32_t attempt, const v1::TrialRecord& record) {
  const std::string bytes = record.SerializeAsString();
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  ASSIGN_OR_RETURN(const AttemptRow row, FindAttempt(database, run, trial, attempt));
  ASSIGN_OR_RETURN(Statement insert,
                   database->Prepare("INSERT INTO closings (attempt_id, record, record_crc32c)"
                                     " VALUES (?, ?, ?) ON CONFLICT DO NOTHING"));
  insert.BindInteger(row.attempt_id).BindBlob(bytes).BindInteger(Crc32c(bytes));
  RETURN_IF_ERROR(insert.Run());
  return transaction.Commit();
}

absl::StatusOr<std::vector<AttemptSummary>> SelectAttempts(Database* database,
                                                           const std::string& run) {
  ASSIGN_OR_RETURN(const RunRow row, FindRun(database, run));
  ASSIGN_OR_RETURN(
      Statement select,
      database->Prepare("SELECT trial, attempt, agent, epoch, is_counted,"
                        " coalesce(message, record), coalesce(message_crc32c, record_crc32c),"
                        " coalesce(message, record) IS NOT NULL"
                        " FROM attempts LEFT JOIN closings USING (attempt_id)"
                        " LEFT JOIN chunks ON chunks.attempt_id = attempts.attempt_id"
                        "  AND chunks.kind = 'record'"
                        " WHERE run_id = ? ORDER BY trial, attempt"));
  select.BindInteger(row.run_id);
  std::vector<AttemptSummary> attempts;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return attempts;
    AttemptSummary summary;
    summary.trial = static_cast<int32_t>(select.Integer(0));
    summary.attempt = static_cast<int32_t>(select.Integer(1));
    summary.agent = select.Text(2);
    summary.epoch = select.Integer(3);
    summary.is_counted = select.Integer(4) != 0;
    summary.has_record = select.Integer(7) != 0;
    if (summary.has_record) {
      RETURN_IF_ERROR(ParseStored(
          absl::StrCat("the record of ", AttemptName(run, summary.trial, summary.attempt)),
          select.Blob(5), select.Integer(6), &summary.record));
    }
    attempts.push_back(std::move(summary));
  }
}

absl::StatusOr<AttemptRow> FindAttempt(Database* database, const std::string& run, int32_t trial,
                                       int32_t attempt) {
  ASSIGN_OR_RETURN(const RunRow row, FindRun(database, run));
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare("SELECT attempt_id, epoch FROM attempts"
                                     " WHERE run_id = ? AND trial = ? AND attempt = ?"));
  select.BindInteger(row.run_id).BindInteger(trial).BindInteger(attempt);
  ASSIGN_OR_RETURN(const bool has_row, select.Step());
  if (!has_row) {
    return MakeError(absl::StatusCode::kNotFound,
                     absl::StrCat(AttemptName(run, trial, attempt), " was never opened"));
  }
  return AttemptRow{select.Integer(0), select.Integer(1)};
}

}  // namespace tare::coordinator
