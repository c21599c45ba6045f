// What a workload needs beside itself: today a PostgreSQL server.
//
// Not thread-safe; one owner. The destructor stops what was started.

#ifndef TARE_AGENT_SERVICES_SERVICE_H_
#define TARE_AGENT_SERVICES_SERVICE_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

struct ServiceOptions {
  // A private directory of the run; the service makes its own below it and removes that at the end.
  std::string directory;
  // CPUs that its processes may use; empty: all.
  std::vector<int> cpus;
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
  // without the agent's own connection); empty when they are on another machine.
  virtual std::vector<pid_t> ServingPids() = 0;

  // True while it can serve.
  virtual bool is_running() = 0;
};

// Starts the service, or connects to it by dsn, and returns when it is ready.
//
// Errors, with what the server itself said in the detail: NotFound (no server programs installed),
// Unavailable (would not start or cannot be reached), DeadlineExceeded, InvalidArgument (bad dsn or
// setting), ResourceExhausted (disk full).
absl::StatusOr<std::unique_ptr<Service>> StartService(const v1::Service& service,
                                                      const ServiceOptions& options);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_SERVICE_H_
