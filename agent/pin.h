// Where processes of a trial may run: the experiment's `pin`, made into CPU lists.
//
// Pure; thread-safe.

#ifndef TARE_AGENT_PIN_H_
#define TARE_AGENT_PIN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::agent {

struct PinnedCpus {
  std::vector<int> workload;  // empty: wherever the agent may
  std::vector<int> services;
};

// `pin` as in Design; `available` are the CPUs that this agent may use, ascending. The last ones
// are taken first, since interrupts and the agent itself favour the first.
//
// FailedPrecondition: other-core on a machine with one CPU. InvalidArgument: a CPU that is not
// available.
absl::StatusOr<PinnedCpus> ResolvePin(const std::vector<std::string>& pin,
                                      const std::vector<int>& available);

// The CPUs that this process may use, ascending.
std::vector<int> AvailableCpus();

}  // namespace tare::agent

#endif  // TARE_AGENT_PIN_H_
