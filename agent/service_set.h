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

  // Makes exactly the services of `spec` run, in its order: starts what is missing, replaces what
  // belongs to an earlier run, round or trial by its lifetime. A proxy and a server are new every
  // time: what they count and use is of one attempt. Errors: those of StartService.
  absl::Status Ensure(const std::string& run, const v1::TrialSpec& spec,
                      const std::vector<int>& cpus);

  // By name; null when it was not started.
  Service* Find(const std::string& name);

  // Stops the servers; what each was and used. They are then no longer among the services. Also for
  // when Ensure() failed and only some of them run.
  std::vector<v1::Process> FinishServers();

  // OK while all can serve; else why the first of them cannot, as Service::CheckRunning says it.
  absl::Status CheckRunning();

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
