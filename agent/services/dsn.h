// A libpq connection string, taken apart.
//
// Knows both forms: "host=… password=…" and "postgresql://user:password@host/…". Connects to
// nothing. Pure functions, thread-safe.

#ifndef TARE_AGENT_SERVICES_DSN_H_
#define TARE_AGENT_SERVICES_DSN_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::agent {

struct Dsn {
  // The same as keyword='value' pairs; holds the password.
  std::string conninfo;
  // "host:port/database", for people and records.
  std::string endpoint;
  // Passwords, as they are and as the dsn spells them.
  std::vector<std::string> secrets;
  // By keyword, what the dsn says.
  std::map<std::string, std::string> values;
};

// InvalidArgument when `text` is not a connection string; the error quotes nothing of it, because
// which part of it is the password cannot be told.
absl::StatusOr<Dsn> ParseDsn(const std::string& text);

// Where the server listens, as tare-proxy takes it: "10.0.0.7:5432", "[::1]:5432" or
// "unix:/run/postgresql/.s.PGSQL.5432". InvalidArgument when the dsn names no server or several.
absl::StatusOr<std::string> ServerOf(const Dsn& dsn);

// The same connection by way of 127.0.0.1:`port`, as keyword='value' pairs. A host's name stays
// beside the address: TLS compares it with the certificate.
std::string ConninfoByWayOf(const Dsn& dsn, int port);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_DSN_H_
