// The service 'proxy': tare-proxy in front of another service.
//
// See service.h for the contract. Not thread-safe. The service behind it is not part of it: it is
// started before and stopped by its own owner.

#ifndef TARE_AGENT_SERVICES_PROXY_H_
#define TARE_AGENT_SERVICES_PROXY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "agent/services/service.h"
#include "tare/v1/experiment.pb.h"

namespace tare::agent {

// Requires: `service` has a proxy. The address is that of `options.behind`, by way of the proxy.
//
// Errors: NotFound (no tare-proxy beside the agent or in PATH), FailedPrecondition (the service
// behind it does not run), InvalidArgument (its address names no server, or several), Unavailable
// (it would not start, with its own words), DeadlineExceeded.
absl::StatusOr<std::unique_ptr<Service>> StartProxy(const v1::Service& service,
                                                    const ServiceOptions& options);

// Arguments of tare-proxy, without its name, to listen on a free port of 127.0.0.1.
std::vector<std::string> ProxyArguments(const v1::Proxy& proxy, const std::string& server,
                                        const std::string& control, uint64_t seed);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_PROXY_H_
