// A SQLite database that speaks absl::Status: connection, statement, transaction.
//
// Knows no table. Every error names the store ("store 'lab.db' …") and has the code that store.h
// promises: Unavailable when locked, ResourceExhausted when the disk is full, PermissionDenied,
// DataLoss when the file is damaged, Internal for the rest.
//
// Not thread-safe: one thread at a time for a Database and all that came from it.
//
//   ASSIGN_OR_RETURN(Statement statement, database.Prepare("SELECT name FROM runs WHERE run = ?"));
//   statement.BindText(run);
//   ASSIGN_OR_RETURN(bool has_row, statement.Step());
//   if (has_row) name = statement.Text(0);

#ifndef TARE_COORDINATOR_STORE_SQLITE_H_
#define TARE_COORDINATOR_STORE_SQLITE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace tare::coordinator {

class Database;

// One prepared statement. Must not outlive its Database.
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Each binds the next parameter, from the first; values are copied. A binding that SQLite refuses
  // (out of memory) is reported by the next Step.
  Statement& BindInteger(int64_t value);
  Statement& BindText(absl::string_view value);
  Statement& BindBlob(absl::string_view value);

  // To the next row: true, or false when there is none. After false, and after an error, the
  // statement is ready to be bound anew.
  absl::StatusOr<bool> Step();

  // For statements that give no rows.
  absl::Status Run();

  // Of the current row, by column from 0. NULL reads as 0 or empty.
  int64_t Integer(int column) const;
  std::string Text(int column) const;
  std::string Blob(int column) const;

 private:
  friend class Database;
  Statement(Database* database, sqlite3_stmt* statement);

  Database* database_;
  sqlite3_stmt* statement_;
  int bound_count_ = 0;
  int bind_result_ = 0;
};

class Database {
 public:
  // Opens or creates the file for reading and writing. Waits at most `lock_wait_max` for the locks
  // of others, here and in every later call. Does not read the file: that it is no database shows
  // at the first statement.
  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& path,
                                                        absl::Duration lock_wait_max);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  absl::StatusOr<Statement> Prepare(absl::string_view sql);

  // Runs one or more statements without parameters, ignoring rows.
  absl::Status Execute(const std::string& sql);

  // The one integer that `sql` gives; 0 when it gives no row.
  absl::StatusOr<int64_t> QueryInteger(absl::string_view sql);

  int64_t LastInsertId() const;
  int64_t ChangedRows() const;

  const std::string& path() const { return path_; }

  // The Status of a SQLite result code of this connection.
  absl::Status Error(int result) const;

 private:
  Database(std::string path, absl::Duration lock_wait_max);

  std::string path_;
  absl::Duration lock_wait_max_;
  sqlite3* connection_ = nullptr;
};

// A write transaction: holds the write lock from Begin on, so that nothing read in it can change
// before it is committed. Rolled back when destroyed uncommitted.
class Transaction {
 public:
  static absl::StatusOr<Transaction> Begin(Database* database);
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  // Returns when the changes are on disk.
  absl::Status Commit();

 private:
  explicit Transaction(Database* database) : database_(database) {}
  Database* database_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_SQLITE_H_
