#include "workloads/preview/postgres_store.h"

#include <charconv>
#include <exception>
#include <functional>
#include <pqxx/pqxx>

namespace tare::preview {
namespace {

constexpr char kUpdate[] =
    "PREPARE u4(text, float8, text, float8, text, float8, text, float8) AS "
    "UPDATE model_field AS field SET value = drag.value "
    "FROM (VALUES ($1, $2), ($3, $4), ($5, $6), ($7, $8)) AS drag(name, value) "
    "WHERE field.name = drag.name";

// libpqxx 7.10 wants it said in another way.
pqxx::result ReadFields(pqxx::nontransaction& session) {
#if PQXX_VERSION_MAJOR > 7 || (PQXX_VERSION_MAJOR == 7 && PQXX_VERSION_MINOR >= 10)
  return session.exec(pqxx::prepped("fields"));
#else
  return session.exec_prepared("fields");
#endif
}

// The shortest text that reads back to the same double, as PostgreSQL 12 and later write it too.
std::string ExactText(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

class PostgresStore : public FieldStore {
 public:
  PostgresStore(const std::string& address, const std::string& schema)
      : address_(address), schema_(schema) {}

  std::optional<sdk::Error> Fill(const FieldMap& initial) override {
    return Guard("cannot make table 'model_field'", [&] {
      connection_ = std::make_unique<pqxx::connection>(address_);
      session_ = std::make_unique<pqxx::nontransaction>(*connection_);
      std::string rows;
      for (const auto& [name, value] : initial) {
        rows += (rows.empty() ? "('" : ", ('") + name + "', " + ExactText(value) + ")";
      }
      session_->exec("SET client_min_messages = warning");
      session_->exec("CREATE SCHEMA IF NOT EXISTS " + schema_);
      session_->exec("SET search_path = " + schema_);
      session_->exec("DROP TABLE IF EXISTS model_field");
      session_->exec("CREATE TABLE model_field (name text PRIMARY KEY, value float8 NOT NULL)");
      session_->exec("INSERT INTO model_field VALUES " + rows);
      session_->exec("VACUUM ANALYZE model_field");
      session_->exec(kUpdate);
      // libpqxx 6 sends the text of a statement to the server at its first use.
      connection_->prepare("fields", "SELECT name, value FROM model_field");
      ReadFields(*session_);
    });
  }

  std::optional<sdk::Error> Update(const Drag& drag) override {
    return Guard("cannot update table 'model_field'", [&] {
      command_ = "BEGIN;EXECUTE u4(";
      for (size_t i = 0; i < drag.size(); ++i) {
        command_ += (i == 0 ? "'" : ",'") + drag[i].first + "'," + ExactText(drag[i].second);
      }
      command_ += ")";
      ++client_writes_;
      const pqxx::result result = session_->exec(command_);
      if (static_cast<size_t>(result.affected_rows()) != drag.size()) {
        throw pqxx::failure("the update found " + std::to_string(result.affected_rows()) +
                            " rows of " + std::to_string(drag.size()));
      }
    });
  }

  std::optional<sdk::Error> ReadBack(FieldMap& fields) override {
    return Guard("cannot read table 'model_field'", [&] {
      fields.clear();
      ++client_writes_;
      const pqxx::result rows = ReadFields(*session_);
      for (const pqxx::row& row : rows) {
        const pqxx::field number = row[1];
        double value = 0;
        std::from_chars(number.c_str(), number.c_str() + number.size(), value);
        fields.emplace(row[0].c_str(), value);
      }
    });
  }

  std::optional<sdk::Error> Rollback() override {
    return Guard("cannot roll back", [&] {
      ++client_writes_;
      session_->exec("ROLLBACK");
    });
  }

  int64_t client_writes() const override { return client_writes_; }

 private:
  static std::optional<sdk::Error> Guard(const char* what, const std::function<void()>& work) {
    try {
      work();
      return std::nullopt;
    } catch (const std::exception& error) {
      std::string text = error.what();
      while (!text.empty() && text.back() == '\n') text.pop_back();
      return sdk::Error{std::string("postgres: ") + what, text, ""};
    }
  }

  std::string address_;
  std::string schema_;
  std::unique_ptr<pqxx::connection> connection_;
  std::unique_ptr<pqxx::nontransaction> session_;
  std::string command_;
  int64_t client_writes_ = 0;
};

}  // namespace

std::unique_ptr<FieldStore> MakePostgresStore(const std::string& address,
                                              const std::string& schema) {
  return std::make_unique<PostgresStore>(address, schema);
}

}  // namespace tare::preview
