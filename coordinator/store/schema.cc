#include "coordinator/store/schema.h"

#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/status.h"
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

// The schema of the store, 0 for an empty database.
absl::StatusOr<int64_t> ReadSchema(Database* database) {
  absl::StatusOr<int64_t> application_id = database->QueryInteger("PRAGMA application_id");
  if (absl::IsDataLoss(application_id.status())) {
    return NotAStore(*database, "not a SQLite database");
  }
  RETURN_IF_ERROR(application_id.status());
  ASSIGN_OR_RETURN(const int64_t schema, database->QueryInteger("PRAGMA user_version"));
  ASSIGN_OR_RETURN(const int64_t objects_count,
                   database->QueryInteger("SELECT count(*) FROM sqlite_schema"));
  const bool is_empty = *application_id == 0 && schema == 0 && objects_count == 0;
  if (*application_id != kApplicationId && !is_empty) {
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

absl::Status PrepareSchema(Database* database) {
  ASSIGN_OR_RETURN(int64_t schema, ReadSchema(database));
  // A write-ahead log, so that readers and the writer do not wait for each other; with
  // synchronous = FULL every commit is synced to disk before it returns.
  RETURN_IF_ERROR(database->Execute("PRAGMA journal_mode = WAL"));
  RETURN_IF_ERROR(database->Execute("PRAGMA synchronous = FULL"));
  RETURN_IF_ERROR(database->Execute("PRAGMA foreign_keys = ON"));
  if (schema == kSchema) return absl::OkStatus();

  ASSIGN_OR_RETURN(Transaction transaction, Transaction::Begin(database));
  // Again, now that no other process can migrate at the same time.
  ASSIGN_OR_RETURN(schema, ReadSchema(database));
  for (; schema < kSchema; ++schema) RETURN_IF_ERROR(database->Execute(kMigrations[schema]));
  RETURN_IF_ERROR(database->Execute(absl::StrCat("PRAGMA application_id = ", kApplicationId)));
  RETURN_IF_ERROR(database->Execute(absl::StrCat("PRAGMA user_version = ", kSchema)));
  return transaction.Commit();
}

}  // namespace tare::coordinator
