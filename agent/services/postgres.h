// The service 'postgres': a private cluster, or an existing server by dsn.
//
// See service.h for the contract. Thread-safe.

#ifndef TARE_AGENT_SERVICES_POSTGRES_H_
#define TARE_AGENT_SERVICES_POSTGRES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/services/postgres_programs.h"
#include "agent/services/service.h"

namespace tare::agent {

// Requires: `service` has a postgres.
absl::StatusOr<std::unique_ptr<Service>> StartPostgres(const v1::Service& service,
                                                       const ServiceOptions& options,
                                                       const PostgresSearch& search);

// True for the command line of a server process that works for a client, false for housekeepers:
// "postgres: tare tare 127.0.0.1(40312) SELECT" against "postgres: checkpointer ".
bool IsServingTitle(absl::string_view command_line);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_POSTGRES_H_
