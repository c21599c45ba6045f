#include "agent/services/postgres_session.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <pqxx/pqxx>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "agent/services/secrets.h"
#include "agent/services/server_log.h"
#include "base/status.h"

namespace tare::agent {
namespace {

constexpr int kRoundTripsMax = 200;
constexpr int kRoundTripsMin = 5;
constexpr int kRoundTripsWarmup = 20;
constexpr std::chrono::seconds kRoundTripTimeMax(2);
// Bounds on a server that stops answering: while connecting, working, and when the network is cut.
// They come first, so that the caller's own values win.
constexpr char kBounds[] =
    "connect_timeout=10 tcp_user_timeout=10000 keepalives_idle=5 keepalives_interval=2 "
    "keepalives_count=3 application_name=tare-agent ";
constexpr char kStatementBound[] = "SET statement_timeout = '10s'";

// libpq's texts have several lines and end with one.
absl::Status ErrorOf(absl::string_view what, const std::exception& error,
                     const std::vector<std::string>& secrets) {
  const std::string said = LastWords(RedactSecrets(error.what(), secrets));
  const absl::StatusCode code = CodeOfServerText(said) == absl::StatusCode::kResourceExhausted
                                    ? absl::StatusCode::kResourceExhausted
                                    : absl::StatusCode::kUnavailable;
  return MakeError(code, what).Detail(said);
}

class LibpqxxSession : public PostgresSession {
 public:
  LibpqxxSession(const std::string& conninfo, const std::vector<std::string>& secrets)
      : secrets_(secrets), connection_(conninfo) {}

  absl::StatusOr<Rows> Query(const std::string& statement) override {
    try {
      pqxx::nontransaction work(connection_);
      Rows rows;
      for (const auto& row : work.exec(statement)) {
        std::vector<std::string>& fields = rows.emplace_back();
        for (const auto& field : row) fields.emplace_back(field.is_null() ? "" : field.c_str());
      }
      return rows;
    } catch (const std::exception& error) {
      return ErrorOf("the server did not do as asked", error, secrets_);
    }
  }

  absl::StatusOr<int64_t> EmptyRoundTripNs() override {
    using std::chrono::steady_clock;
    try {
      pqxx::nontransaction work(connection_);
      std::vector<steady_clock::duration> times;
      times.reserve(kRoundTripsMax);
      const auto begin = steady_clock::now();
      for (int i = 0; i < kRoundTripsWarmup + kRoundTripsMax; ++i) {
        const auto start = steady_clock::now();
        work.exec("");
        const auto end = steady_clock::now();
        if (i >= kRoundTripsWarmup) times.push_back(end - start);
        if (times.size() >= kRoundTripsMin && end - begin > kRoundTripTimeMax) break;
      }
      const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
      std::nth_element(times.begin(), middle, times.end());
      return std::chrono::nanoseconds(*middle).count();
    } catch (const std::exception& error) {
      return ErrorOf("the server does not answer empty queries", error, secrets_);
    }
  }

 private:
  const std::vector<std::string> secrets_;
  pqxx::connection connection_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PostgresSession>> OpenPostgres(
    const std::string& conninfo, const std::vector<std::string>& secrets) {
  std::unique_ptr<PostgresSession> session;
  try {
    session = std::make_unique<LibpqxxSession>(absl::StrCat(kBounds, conninfo), secrets);
  } catch (const std::exception& error) {
    return ErrorOf("cannot connect to the server", error, secrets);
  }
  RETURN_IF_ERROR(session->Query(kStatementBound).status());
  return session;
}

}  // namespace tare::agent
