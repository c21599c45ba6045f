#include "coordinator/store/sqlite_chunks.h"

#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "coordinator/store/column_codec.h"
#include "coordinator/store/sqlite_attempts.h"
#include "coordinator/store/store.h"
#include "coordinator/store/stored_message.h"

namespace tare::coordinator {
namespace {

constexpr absl::string_view kManifest = "manifest";
constexpr absl::string_view kRecord = "record";

absl::string_view KindName(v1::ChunkKind kind) {
  if (kind == v1::CHUNK_KIND_MANIFEST) return kManifest;
  return kind == v1::CHUNK_KIND_RECORD ? kRecord : "samples";
}

// True when the store has this very chunk; DataLoss when it has another one of the same key.
absl::StatusOr<bool> IsKnown(Database* database, int64_t attempt_id, const v1::Chunk& chunk) {
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare("SELECT crc32c, kind FROM chunks"
                                     " WHERE attempt_id = ? AND role = ? AND sequence = ?"));
  select.BindInteger(attempt_id).BindText(chunk.role()).BindInteger(chunk.sequence());
  ASSIGN_OR_RETURN(const bool has_row, select.Step());
  if (!has_row) return false;
  if (select.Integer(0) == chunk.crc32c() && select.Text(1) == KindName(chunk.kind())) return true;
  return MakeError(absl::StatusCode::kDataLoss,
                   absl::StrCat(ChunkName(chunk), " came again with another content"))
      .Detail(absl::StrFormat("crc32c is %08x (%s), the store has %08x (%s)", chunk.crc32c(),
                              KindName(chunk.kind()), static_cast<uint32_t>(select.Integer(0)),
                              select.Text(1)));
}

absl::Status CheckOpen(Database* database, int64_t attempt_id, const v1::Chunk& chunk) {
  ASSIGN_OR_RETURN(Statement select, database->Prepare("SELECT kind FROM chunks"
                                                       " WHERE attempt_id = ? AND kind IN (?, ?)"));
  select.BindInteger(attempt_id).BindText(kManifest).BindText(KindName(chunk.kind()));
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return absl::OkStatus();
    const std::string kind = select.Text(0);
    if (kind == "samples") continue;
    return MakeError(absl::StatusCode::kDataLoss,
                     absl::StrCat(ChunkName(chunk), " came after the attempt's ", kind));
  }
}

absl::Status InsertRows(Database* database, int64_t attempt_id, const v1::Chunk& chunk,
                        const ReceivedChunk& received) {
  ASSIGN_OR_RETURN(
      Statement insert,
      database->Prepare("INSERT INTO chunks (attempt_id, role, sequence, kind, incarnation,"
                        " samples_count, crc32c, message, message_crc32c)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.BindInteger(attempt_id)
      .BindText(chunk.role())
      .BindInteger(chunk.sequence())
      .BindText(KindName(chunk.kind()))
      .BindInteger(chunk.incarnation())
      .BindInteger(chunk.count())
      .BindInteger(chunk.crc32c())
      .BindBlob(received.message)
      .BindInteger(Crc32c(received.message));
  RETURN_IF_ERROR(insert.Run());
  const int64_t chunk_id = database->LastInsertId();
  ASSIGN_OR_RETURN(Statement insert_column,
                   database->Prepare("INSERT INTO sample_columns VALUES (?, ?, ?, ?, ?)"));
  for (const Column& column : received.columns) {
    const std::string data = PackColumn(column.values);
    insert_column.BindInteger(chunk_id).BindInteger(column.position).BindText(column.name);
    insert_column.BindBlob(data).BindInteger(Crc32c(data));
    RETURN_IF_ERROR(insert_column.Run());
  }
  return absl::OkStatus();
}

struct RoleTotals {
  int64_t chunks_count = 0;
  int64_t samples_count = 0;
  int64_t sequence_last = -1;

  std::string Text() const {
    return absl::StrCat(chunks_count, " chunks with ", samples_count, " samples");
  }
};

absl::StatusOr<std::map<std::string, RoleTotals>> SelectTotals(Database* database,
                                                               int64_t attempt_id) {
  ASSIGN_OR_RETURN(
      Statement select,
      database->Prepare("SELECT role, count(*), sum(samples_count), max(sequence) FROM chunks"
                        " WHERE attempt_id = ? AND kind <> 'manifest' GROUP BY role"));
  select.BindInteger(attempt_id);
  std::map<std::string, RoleTotals> totals;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return totals;
    totals[select.Text(0)] = {select.Integer(1), select.Integer(2), select.Integer(3)};
  }
}

absl::Status Incomplete(const std::string& attempt, const std::string& role,
                        const std::string& present, const std::string& promised) {
  return MakeError(absl::StatusCode::kDataLoss,
                   absl::StrCat(attempt, " is not complete: role '", role, "' has ", present))
      .Detail(absl::StrCat("its manifest says ", promised));
}

absl::Status MatchManifest(const std::string& attempt, const v1::Manifest& manifest,
                           std::map<std::string, RoleTotals> present) {
  for (const v1::RoleManifest& role : manifest.roles()) {
    const RoleTotals promised{role.chunks_count(), role.samples_count(), role.chunks_count() - 1};
    const RoleTotals found = present[role.role()];
    const bool matches = found.chunks_count == promised.chunks_count &&
                         found.samples_count == promised.samples_count &&
                         found.sequence_last == promised.sequence_last;
    if (!matches) return Incomplete(attempt, role.role(), found.Text(), promised.Text());
    present.erase(role.role());
  }
  if (present.empty()) return absl::OkStatus();
  const auto& [role, found] = *present.begin();
  return Incomplete(attempt, role, found.Text(), "nothing of it");
}

// Whether the attempt may count: it delivered a record that says so.
absl::StatusOr<bool> IsCompleted(Database* database, int64_t attempt_id, const std::string& attempt,
                                 int64_t samples_count) {
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare("SELECT message, message_crc32c FROM chunks"
                                     " WHERE attempt_id = ? AND kind = 'record'"));
  select.BindInteger(attempt_id);
  ASSIGN_OR_RETURN(const bool has_row, select.Step());
  if (!has_row) return false;
  v1::TrialRecord record;
  RETURN_IF_ERROR(ParseStored(absl::StrCat("the record of ", attempt), select.Blob(0),
                              select.Integer(1), &record));
  if (record.outcome() != v1::TRIAL_OUTCOME_COMPLETED) return false;
  if (record.samples_count() == samples_count) return true;
  return MakeError(absl::StatusCode::kDataLoss,
                   absl::StrCat(attempt, " is not complete: ", samples_count, " samples came"))
      .Detail(absl::StrCat("its record says ", record.samples_count()));
}

absl::Status CloseByManifest(Database* database, int64_t attempt_id, const v1::AttemptKey& key,
                             const v1::Manifest& manifest) {
  const std::string attempt = AttemptName(key.run(), key.trial(), key.attempt());
  ASSIGN_OR_RETURN(const auto totals, SelectTotals(database, attempt_id));
  RETURN_IF_ERROR(MatchManifest(attempt, manifest, totals));
  int64_t samples_count = 0;
  for (const auto& [role, total] : totals) samples_count += total.samples_count;
  ASSIGN_OR_RETURN(const bool is_completed,
                   IsCompleted(database, attempt_id, attempt, samples_count));
  if (!is_completed) return absl::OkStatus();
  ASSIGN_OR_RETURN(
      Statement update,
      database->Prepare("UPDATE attempts SET is_counted = 1 WHERE attempt_id = ?1 AND NOT EXISTS"
                        " (SELECT * FROM attempts AS other JOIN attempts AS own"
                        "  USING (run_id, trial) WHERE own.attempt_id = ?1 AND other.is_counted)"));
  update.BindInteger(attempt_id);
  return update.Run();
}

absl::Status ReadColumns(Database* database, int64_t chunk_id, int64_t samples_count,
                         v1::SampleBlock* block) {
  ASSIGN_OR_RETURN(Statement select,
                   database->Prepare("SELECT position, name, data, crc32c FROM sample_columns"
                                     " WHERE chunk_id = ? ORDER BY position"));
  select.BindInteger(chunk_id);
  while (true) {
    ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) break;
    Column column{static_cast<int32_t>(select.Integer(0)), select.Text(1), {}};
    const std::string data = select.Blob(2);
    RETURN_IF_ERROR(
        CheckStored(absl::StrCat("column '", column.name, "'"), data, select.Integer(3)));
    ASSIGN_OR_RETURN(column.values, UnpackColumn(data, static_cast<size_t>(samples_count)));
    RETURN_IF_ERROR(JoinColumn(column, block));
  }
  const absl::Status complete = CheckColumns(*block, samples_count);
  if (complete.ok()) return complete;
  return MakeError(absl::StatusCode::kDataLoss, complete.message());
}

}  // namespace

absl::Status InsertChunk(Database* database, const v1::Chunk& chunk,
                         const ReceivedChunk& received) {
  const v1::AttemptKey& key = chunk.key();
  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  ASSIGN_OR_RETURN(const AttemptRow attempt,
                   FindAttempt(database, key.run(), key.trial(), key.attempt()));
  if (key.epoch() != attempt.epoch) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(ChunkName(chunk), " is of epoch ", key.epoch(),
                                  ", the attempt was given in epoch ", attempt.epoch));
  }
  ASSIGN_OR_RETURN(const bool is_known, IsKnown(database, attempt.attempt_id, chunk));
  if (is_known) return absl::OkStatus();
  RETURN_IF_ERROR(CheckOpen(database, attempt.attempt_id, chunk));
  RETURN_IF_ERROR(InsertRows(database, attempt.attempt_id, chunk, received));
  if (chunk.kind() == v1::CHUNK_KIND_MANIFEST) {
    RETURN_IF_ERROR(CloseByManifest(database, attempt.attempt_id, key, received.manifest));
  }
  return transaction.Commit();
}

absl::StatusOr<std::optional<StoredBlock>> SelectBlockAfter(Database* database, int64_t attempt_id,
                                                            const std::string& role,
                                                            int64_t sequence) {
  ASSIGN_OR_RETURN(
      Statement select,
      database->Prepare("SELECT chunk_id, role, sequence, samples_count, message, message_crc32c"
                        " FROM chunks WHERE attempt_id = ? AND kind = 'samples'"
                        " AND (role, sequence) > (?, ?) ORDER BY role, sequence LIMIT 1"));
  select.BindInteger(attempt_id).BindText(role).BindInteger(sequence);
  ASSIGN_OR_RETURN(const bool has_row, select.Step());
  if (!has_row) return std::nullopt;
  StoredBlock stored{select.Text(1), select.Integer(2), {}};
  const std::string name = absl::StrCat("role '", stored.role, "' chunk ", stored.sequence);
  RETURN_IF_ERROR(ParseStored(name, select.Blob(4), select.Integer(5), &stored.block));
  const int64_t samples_count = select.Integer(3);
  // A sample takes more than a byte of its chunk, so a larger count is rot.
  if (samples_count < 0 || samples_count > kChunkBytesMax) {
    return MakeError(absl::StatusCode::kDataLoss,
                     absl::StrCat(name, " cannot have ", samples_count, " samples"));
  }
  const absl::Status status =
      ReadColumns(database, select.Integer(0), samples_count, &stored.block);
  if (!status.ok()) return Annotate(status, name);
  return stored;
}

}  // namespace tare::coordinator
