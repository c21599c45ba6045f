// Whether the control group that we run in takes CPU time away from us.
//
// Thread-safe reads. Understands version 1 (cpu.stat's throttled_time), version 2 (throttled_usec)
// and both mounted at once. A limit on a group above ours holds us back as well, so all groups from
// ours to the top that we can see are added up.

#ifndef TARE_AGENT_MACHINE_CGROUP_H_
#define TARE_AGENT_MACHINE_CGROUP_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tare::agent {

// The cpu.stat files of our group and those above it, whether they exist or not.
std::vector<std::string> FindThrottleFiles(const std::string& root);

// Time for which those groups were throttled so far; absent when no file says.
std::optional<int64_t> ReadThrottledNs(const std::vector<std::string>& throttle_files);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_CGROUP_H_
