#include "coordinator/store/sqlite.h"

#include <sqlite3.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

// string_view may be null when empty, which SQLite would store as NULL.
const char* NonNull(absl::string_view value) { return value.empty() ? "" : value.data(); }

absl::Status DiskFull(const std::string& store) {
  return MakeError(absl::StatusCode::kResourceExhausted,
                   absl::StrCat(store, " cannot grow: the disk is full"))
      .Try("free space on its file system; all that was committed is kept");
}

}  // namespace

Statement::Statement(Database* database, sqlite3_stmt* statement)
    : database_(database), statement_(statement) {}

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      bound_count_(other.bound_count_),
      bind_result_(other.bind_result_) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::BindInteger(int64_t value) {
  bind_result_ |= sqlite3_bind_int64(statement_, ++bound_count_, value);
  return *this;
}

Statement& Statement::BindText(absl::string_view value) {
  bind_result_ |= sqlite3_bind_text64(statement_, ++bound_count_, NonNull(value), value.size(),
                                      SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::BindBlob(absl::string_view value) {
  bind_result_ |= sqlite3_bind_blob64(statement_, ++bound_count_, NonNull(value), value.size(),
                                      SQLITE_TRANSIENT);
  return *this;
}

absl::StatusOr<bool> Statement::Step() {
  const int result = bind_result_ != SQLITE_OK ? bind_result_ : sqlite3_step(statement_);
  if (result == SQLITE_ROW) return true;
  absl::Status status = result == SQLITE_DONE ? absl::OkStatus() : database_->Error(result);
  sqlite3_reset(statement_);
  bound_count_ = 0;
  bind_result_ = SQLITE_OK;
  if (!status.ok()) return status;
  return false;
}

absl::Status Statement::Run() { return Step().status(); }

int64_t Statement::Integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string Statement::Text(int column) const { return Blob(column); }

std::string Statement::Blob(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  if (bytes == nullptr) return "";
  return std::string(static_cast<const char*>(bytes),
                     static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

Database::Database(std::string path, absl::Duration lock_wait_max)
    : path_(std::move(path)), lock_wait_max_(lock_wait_max) {}

absl::StatusOr<std::unique_ptr<Database>> Database::Open(const std::string& path,
                                                         absl::Duration lock_wait_max) {
  std::unique_ptr<Database> database(new Database(path, lock_wait_max));
  const int result =
      sqlite3_open_v2(path.c_str(), &database->connection_,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  if (result != SQLITE_OK) return database->Error(result);
  sqlite3_extended_result_codes(database->connection_, 1);
  sqlite3_busy_timeout(database->connection_,
                       static_cast<int>(absl::ToInt64Milliseconds(lock_wait_max)));
  return database;
}

Database::~Database() { sqlite3_close(connection_); }

absl::StatusOr<Statement> Database::Prepare(absl::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v2(connection_, sql.data(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
  if (result != SQLITE_OK) return Error(result);
  return Statement(this, statement);
}

absl::Status Database::Execute(const std::string& sql) {
  const int result = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
  return result == SQLITE_OK ? absl::OkStatus() : Error(result);
}

absl::StatusOr<int64_t> Database::QueryInteger(absl::string_view sql) {
  ASSIGN_OR_RETURN(Statement statement, Prepare(sql));
  ASSIGN_OR_RETURN(const bool has_row, statement.Step());
  return has_row ? statement.Integer(0) : 0;
}

int64_t Database::LastInsertId() const { return sqlite3_last_insert_rowid(connection_); }

int64_t Database::ChangedRows() const { return sqlite3_changes64(connection_); }

absl::Status Database::Error(int result) const {
  const std::string store = absl::StrCat("store '", path_, "'");
  switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return MakeError(absl::StatusCode::kUnavailable,
                       absl::StrCat(store, " is locked by another process"))
          .Detail(absl::StrCat("waited ", absl::FormatDuration(lock_wait_max_)))
          .Try("end the other tare, or use another store with --store");
    case SQLITE_FULL:
      return DiskFull(store);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return MakeError(absl::StatusCode::kDataLoss, absl::StrCat(store, " is damaged"))
          .Detail(sqlite3_errstr(result))
          .Try("restore it from a copy, and check the disk");
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_READONLY: {
      const int error_number = sqlite3_system_errno(connection_);
      if (error_number == ENOSPC || error_number == EDQUOT) return DiskFull(store);
      return MakeError((result & 0xff) == SQLITE_IOERR ? absl::StatusCode::kUnavailable
                                                       : absl::StatusCode::kPermissionDenied,
                       absl::StrCat(store, " cannot be read and written"))
          .Detail(absl::StrCat(sqlite3_errmsg(connection_), ": ",
                               std::generic_category().message(error_number)));
    }
    default:
      return MakeError(absl::StatusCode::kInternal, absl::StrCat(store, " refused a statement"))
          .Detail(sqlite3_errmsg(connection_));
  }
}

absl::StatusOr<Transaction> Transaction::Begin(Database* database) {
  RETURN_IF_ERROR(database->Execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)) {}

Transaction::~Transaction() {
  // A failed rollback leaves nothing to do: SQLite has then already rolled back by itself.
  if (database_ != nullptr) (void)database_->Execute("ROLLBACK");
}

absl::Status Transaction::Commit() {
  RETURN_IF_ERROR(database_->Execute("COMMIT"));
  database_ = nullptr;
  return absl::OkStatus();
}

}  // namespace tare::coordinator
