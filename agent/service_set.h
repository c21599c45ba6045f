// The services of the run at hand, each for as long as its `lifetime` says.
//
// Not thread-safe.

#ifndef TARE_AGENT_SERVICE_SET_H_
#define TARE_AGENT_SERVICE_SET_H_

#include <sys/types.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/services/service.h"
#include "tare/v1/plan.pb.h"

namespace tare::agent {

class ServiceSet {
 public:
  // Services make their directories below `directory`.
  explicit ServiceSet(std::string directory) : directory_(std::move(directory)) {}

  // Makes exactly the services of `spec` run: starts what is missing, replaces what belongs to an
  // earlier run, round or trial by its lifetime. Errors: those of StartService, with the service's
  // name before them.
  absl::Status Ensure(const std::string& run, const v1::TrialSpec& spec,
                      const std::vector<int>& cpus);

  // By name; null when it does not run.
  Service* Find(const std::string& name);

  // Records of all, in the order of the last Ensure.
  absl::StatusOr<std::vector<v1::ServiceRecord>> Describe();

  // Passwords and the like that must not appear in anything kept.
  std::vector<std::string> secrets() const;

  void StopAll();

 private:
  struct Running {
    std::string lease;  // run, round or trial that it belongs to
    std::unique_ptr<Service> service;
  };

  std::string directory_;
  std::vector<std::string> names_;
  std::map<std::string, Running> running_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICE_SET_H_
