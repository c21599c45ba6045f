#include "agent/pin.h"

#include <sched.h>

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"

namespace tare::agent {

absl::StatusOr<PinnedCpus> ResolvePin(const std::vector<std::string>& pin,
                                      const std::vector<int>& available) {
  PinnedCpus cpus;
  if (pin.empty() || pin[0] == "none") return cpus;
  const int last = available.back();
  if (pin[0] == "same-core") {
    cpus.workload = {last};
    cpus.services = {last};
    return cpus;
  }
  if (pin[0] == "other-core") {
    if (available.size() < 2) {
      return MakeError(absl::StatusCode::kFailedPrecondition,
                       "pin 'other-core' needs two CPUs, this machine gives one")
          .Try("use 'pin: none' or another machine");
    }
    cpus.workload = {last};
    cpus.services.assign(available.begin(), available.end() - 1);
    return cpus;
  }
  for (const std::string& text : pin) {
    int cpu = -1;
    if (!absl::SimpleAtoi(text, &cpu) ||
        std::find(available.begin(), available.end(), cpu) == available.end()) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("pin names CPU '", text, "', which is not available"))
          .Detail(absl::StrCat("available: ", absl::StrJoin(available, ", ")));
    }
    cpus.workload.push_back(cpu);
  }
  for (int cpu : available) {
    if (std::find(cpus.workload.begin(), cpus.workload.end(), cpu) == cpus.workload.end()) {
      cpus.services.push_back(cpu);
    }
  }
  return cpus;  // services empty: the workload has all, they share
}

std::vector<int> AvailableCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return {0};
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace tare::agent
