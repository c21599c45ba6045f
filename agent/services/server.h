// The service 'server': a program that is measured while others ask it.
//
// See service.h for the contract. Not thread-safe. Its address is host:port.

#ifndef TARE_AGENT_SERVICES_SERVER_H_
#define TARE_AGENT_SERVICES_SERVER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "agent/services/service.h"
#include "tare/v1/experiment.pb.h"

namespace tare::agent {

// Starts it on a free port and returns when it is ready and that port is its own.
// Requires: `service` has a server with its defaults applied.
//
// Errors: NotFound or PermissionDenied (its program), InvalidArgument (a placeholder that is no
// service of the trial), those of AwaitReady, AlreadyExists (another process holds its port).
absl::StatusOr<std::unique_ptr<Service>> StartServer(const v1::Service& service,
                                                     const ServiceOptions& options);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_SERVER_H_
