#include "workloads/preview/sqlite_store.h"

#include <sqlite3.h>

namespace tare::preview {
namespace {

class SqliteStore : public FieldStore {
 public:
  explicit SqliteStore(const std::string& path) : path_(path.empty() ? ":memory:" : path) {}
  SqliteStore(const SqliteStore&) = delete;
  SqliteStore& operator=(const SqliteStore&) = delete;

  ~SqliteStore() override {
    for (sqlite3_stmt* statement : {insert_, begin_, update_, select_, rollback_}) {
      sqlite3_finalize(statement);
    }
    sqlite3_close(database_);
  }

  std::optional<sdk::Error> Fill(const FieldMap& initial) override {
    if (sqlite3_open(path_.c_str(), &database_) != SQLITE_OK) return Failed();
    const char* kSchema =
        "DROP TABLE IF EXISTS model_field;"
        "CREATE TABLE model_field (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID";
    if (sqlite3_exec(database_, kSchema, nullptr, nullptr, nullptr) != SQLITE_OK) return Failed();
    if (!Prepare("INSERT INTO model_field VALUES (?2, ?1)", &insert_) ||
        !Prepare("BEGIN IMMEDIATE", &begin_) || !Prepare("ROLLBACK", &rollback_) ||
        !Prepare("UPDATE model_field SET value = ?1 WHERE name = ?2", &update_) ||
        !Prepare("SELECT name, value FROM model_field", &select_)) {
      return Failed();
    }
    if (!Step(begin_)) return Failed();
    for (const auto& [name, value] : initial) {
      if (!SetField(insert_, name, value)) return Failed();
    }
    if (sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr) != SQLITE_OK) return Failed();
    return std::nullopt;
  }

  std::optional<sdk::Error> Update(const Drag& drag) override {
    if (!Step(begin_)) return Failed();
    for (const auto& [name, value] : drag) {
      if (!SetField(update_, name, value)) return Failed();
    }
    return std::nullopt;
  }

  std::optional<sdk::Error> ReadBack(FieldMap& fields) override {
    fields.clear();
    int result = 0;
    while ((result = sqlite3_step(select_)) == SQLITE_ROW) {
      const unsigned char* name = sqlite3_column_text(select_, 0);
      fields.emplace(reinterpret_cast<const char*>(name), sqlite3_column_double(select_, 1));
    }
    sqlite3_reset(select_);
    if (result != SQLITE_DONE) return Failed();
    return std::nullopt;
  }

  std::optional<sdk::Error> Rollback() override {
    if (!Step(rollback_)) return Failed();
    return std::nullopt;
  }

  int64_t client_writes() const override { return 0; }

 private:
  bool Prepare(const char* sql, sqlite3_stmt** statement) {
    return sqlite3_prepare_v2(database_, sql, -1, statement, nullptr) == SQLITE_OK;
  }

  bool Step(sqlite3_stmt* statement) {
    const int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE;
  }

  // Runs a statement of which ?1 is the value and ?2 the name; one row must have changed.
  bool SetField(sqlite3_stmt* statement, const std::string& name, double value) {
    sqlite3_bind_double(statement, 1, value);
    sqlite3_bind_text(statement, 2, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
    return Step(statement) && sqlite3_changes(database_) == 1;
  }

  sdk::Error Failed() const {
    return {"sqlite: cannot use table 'model_field' of '" + path_ + "'", sqlite3_errmsg(database_),
            ""};
  }

  std::string path_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* update_ = nullptr;
  sqlite3_stmt* select_ = nullptr;
  sqlite3_stmt* rollback_ = nullptr;
};

}  // namespace

std::unique_ptr<FieldStore> MakeSqliteStore(const std::string& path) {
  return std::make_unique<SqliteStore>(path);
}

}  // namespace tare::preview
