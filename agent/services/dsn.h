// A libpq connection string, taken apart.
//
// Knows both forms: "host=… password=…" and "postgresql://user:password@host/…". Connects to
// nothing. Pure functions, thread-safe.

#ifndef TARE_AGENT_SERVICES_DSN_H_
#define TARE_AGENT_SERVICES_DSN_H_

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
};

// InvalidArgument when `text` is not a connection string; the error quotes nothing of it, because
// which part of it is the password cannot be told.
absl::StatusOr<Dsn> ParseDsn(const std::string& text);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_DSN_H_
