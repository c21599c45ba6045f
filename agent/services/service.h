// What a workload needs beside itself: a PostgreSQL server, a server that is measured, or a proxy
// in front of one of them.
//
// Not thread-safe; one owner. The destructor stops what was started.

#ifndef TARE_AGENT_SERVICES_SERVICE_H_
#define TARE_AGENT_SERVICES_SERVICE_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
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
  // Of a server: by name, the addresses of the trial's services that run already.
  std::map<std::string, std::string> addresses = {};
};

class Service {
 public:
  virtual ~Service() = default;

  // What the workload connects to: a libpq connection string, or host:port of a server. May hold a
  // password: never log, store or show it.
  virtual const std::string& address() const = 0;

  // Secrets to remove from anything a workload says.
  virtual std::vector<std::string> secrets() const = 0;

  // Version, settings that matter and the empty-query round trip, measured now.
  virtual absl::StatusOr<v1::ServiceRecord> Describe() = 0;

  // Processes that serve clients at this moment (PostgreSQL backends, without its housekeepers and
  // without the agent's own connection; a server with its descendants; the proxy itself, without
  // what is behind it); empty when they are on another machine.
  virtual std::vector<pid_t> ServingPids() = 0;

  // OK while it can serve; else Unavailable with what became of it and its last words. May wait for
  // some seconds when it is on another machine or about to end.
  virtual absl::Status CheckRunning() = 0;

  // Stops a server; what it was, said and used. Nothing for services that are not measured
  // programs, which go on. Once, last.
  virtual std::optional<v1::Process> Finish() { return std::nullopt; }

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
