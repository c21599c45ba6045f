// What a workload needs beside itself: a PostgreSQL server, or a proxy in front of one.
//
// Not thread-safe; one owner. The destructor stops what was started.

#ifndef TARE_AGENT_SERVICES_SERVICE_H_
#define TARE_AGENT_SERVICES_SERVICE_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

class ProxyControl;
class Service;

struct ServiceOptions {
  // A private directory of the run; the service makes its own below it and removes that at the end.
  std::string directory;
  // CPUs that its processes may use; empty: all.
  std::vector<int> cpus;
  // Of a proxy: the service behind it, which must be running; and what seeds its draws.
  const Service* behind = nullptr;
  uint64_t seed = 0;
};

class Service {
 public:
  virtual ~Service() = default;

  // What the workload connects to; may hold a password: never log, store or show it.
  virtual const std::string& address() const = 0;

  // Secrets to remove from anything a workload says.
  virtual std::vector<std::string> secrets() const = 0;

  // Version, settings that matter and the empty-query round trip, measured now.
  virtual absl::StatusOr<v1::ServiceRecord> Describe() = 0;

  // Processes that serve clients at this moment (PostgreSQL backends, without its housekeepers and
  // without the agent's own connection; the proxy itself, without the server behind it); empty when
  // they are on another machine.
  virtual std::vector<pid_t> ServingPids() = 0;

  // OK while it can serve; else Unavailable with what became of it and its last words. May wait for
  // some seconds when it is on another machine or about to end.
  virtual absl::Status CheckRunning() = 0;

  // To read what a proxy counts; null for other services.
  virtual const ProxyControl* proxy() const { return nullptr; }
};

// Starts the service, or connects to it by dsn, and returns when it is ready.
//
// Errors name the service and have what it said itself in the detail: NotFound (no such programs),
// Unavailable (would not start or cannot be reached), DeadlineExceeded, InvalidArgument (bad dsn or
// setting), ResourceExhausted (disk full).
absl::StatusOr<std::unique_ptr<Service>> StartService(const v1::Service& service,
                                                      const ServiceOptions& options);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_SERVICE_H_
