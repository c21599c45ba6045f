#include "coordinator/store/schema.h"

#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "coordinator/store/creation_lock.h"
#include "coordinator/store/migrations.h"

namespace tare::coordinator {
namespace {

constexpr int64_t kSchema = std::size(kMigrations);

absl::Status NotAStore(const Database& database, absl::string_view found) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("'", database.path(), "' is not a tare store"))
      .Detail(absl::StrCat("it is ", found))
      .Try("name another file with --store; tare creates it");
}

// The schema of the store, 0 for an empty database. One statement, so that what another process
// commits meanwhile is seen whole or not at all.
absl::StatusOr<int64_t> ReadSchema(Database* database) {
  ASSIGN_OR_RETURN(Statement statement,
                   database->Prepare("SELECT (SELECT application_id FROM pragma_application_id),"
                                     " (SELECT user_version FROM pragma_user_version),"
                                     " (SELECT count(*) FROM sqlite_schema)"));
  RETURN_IF_ERROR(statement.Step().status());
  const int64_t application_id = statement.Integer(0);
  const int64_t schema = statement.Integer(1);
  const int64_t objects_count = statement.Integer(2);
  const bool is_empty = application_id == 0 && schema == 0 && objects_count == 0;
  if (application_id != kApplicationId && !is_empty) {
    return NotAStore(*database, "the SQLite database of another program");
  }
  if (schema > kSchema) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("store '", database->path(), "' has schema ", schema,
                                  ", this tare understands up to ", kSchema))
        .Try("upgrade tare, or open another store with --store");
  }
  return schema;
}

}  // namespace

absl::Status PrepareSchema(Database* database, absl::Duration lock_wait_max) {
  absl::StatusOr<int64_t> found = ReadSchema(database);
  if (absl::IsDataLoss(found.status())) return NotAStore(*database, "not a SQLite database");
  RETURN_IF_ERROR(found.status());
  int64_t schema = *found;
  std::optional<CreationLock> lock;
  if (schema != kSchema) {
    ASSIGN_OR_RETURN(CreationLock taken, CreationLock::Take(database->path(), lock_wait_max));
    lock.emplace(std::move(taken));
  }
  // A write-ahead log, so that readers and the writer do not wait for each other; with
  // synchronous = FULL every commit is synced to disk before it returns.
  RETURN_IF_ERROR(database->Execute("PRAGMA journal_mode = WAL"));
  RETURN_IF_ERROR(database->Execute("PRAGMA synchronous = FULL"));
  RETURN_IF_ERROR(database->Execute("PRAGMA foreign_keys = ON"));
  if (schema == kSchema) return absl::OkStatus();

  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  // Again: another process may have made it while this one waited.
  ASSIGN_OR_RETURN(schema, ReadSchema(database));
  for (; schema < kSchema; ++schema) RETURN_IF_ERROR(database->Execute(kMigrations[schema]));
  RETURN_IF_ERROR(database->Execute(absl::StrCat("PRAGMA application_id = ", kApplicationId)));
  RETURN_IF_ERROR(database->Execute(absl::StrCat("PRAGMA user_version = ", kSchema)));
  return transaction.Commit();
}

}  // namespace tare::coordinator
