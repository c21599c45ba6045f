// The PostgreSQL server programs installed here, and the account to run them as.
//
// Looks at the disk and asks programs for their version; starts no server. Thread-safe.

#ifndef TARE_AGENT_SERVICES_POSTGRES_PROGRAMS_H_
#define TARE_AGENT_SERVICES_POSTGRES_PROGRAMS_H_

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::agent {

// The oldest major version that tare runs.
inline constexpr int kPostgresVersionMin = 13;

// Where to look; the defaults are where Debian and Red Hat put them.
struct PostgresSearch {
  // Asked for its --bindir; looked up as FindProgram does.
  std::string pg_config = "pg_config";
  // Their subdirectories' "bin" is looked at: /usr/lib/postgresql/15/bin, /usr/pgsql-16/bin.
  std::vector<std::string> roots = {"/usr/lib/postgresql", "/usr"};
};

struct PostgresPrograms {
  std::string directory;  // holds initdb and postgres
  int version = 0;        // major
};

// The newest, or those of major `version`. NotFound with the places looked at and what was there.
absl::StatusOr<PostgresPrograms> FindPostgres(const PostgresSearch& search,
                                              std::optional<int> version);

// The account that a server runs as.
struct ServerAccount {
  std::string user;  // empty: our own
  uid_t uid = 0;
  gid_t gid = 0;
};

// Our own unless this is root, which PostgreSQL refuses; then 'postgres', or else 'nobody'.
// FailedPrecondition when neither exists.
absl::StatusOr<ServerAccount> FindServerAccount();

// The environment that server programs run in: messages in English, nothing of the agent's.
std::vector<std::string> ServerEnvironment();

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_POSTGRES_PROGRAMS_H_
