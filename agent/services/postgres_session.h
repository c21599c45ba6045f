// One connection of the agent to a PostgreSQL server.
//
// For questions about the server, never for measured work. Every call is bounded by about 10 s of a
// silent server. Not thread-safe.

#ifndef TARE_AGENT_SERVICES_POSTGRES_SESSION_H_
#define TARE_AGENT_SERVICES_POSTGRES_SESSION_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::agent {

using Rows = std::vector<std::vector<std::string>>;  // SQL null is the empty text

class PostgresSession {
 public:
  virtual ~PostgresSession() = default;

  // Runs one statement outside of any transaction. ResourceExhausted when the server's disk is
  // full, Unavailable with the server's words otherwise.
  virtual absl::StatusOr<Rows> Query(const std::string& statement) = 0;

  // The median time of empty queries there and back: 200 of them, fewer when that would take more
  // than two seconds.
  virtual absl::StatusOr<int64_t> EmptyRoundTripNs() = 0;
};

// Connects to `conninfo`, of keyword='value' pairs. Unavailable with what libpq said; `secrets` are
// taken out of this and of every later error.
absl::StatusOr<std::unique_ptr<PostgresSession>> OpenPostgres(
    const std::string& conninfo, const std::vector<std::string>& secrets);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_POSTGRES_SESSION_H_
