// How much of the machine's CPU time went to others while a block ran.
//
// Pure, thread-safe.

#ifndef TARE_AGENT_MACHINE_FOREIGN_SHARE_H_
#define TARE_AGENT_MACHINE_FOREIGN_SHARE_H_

#include <cstdint>
#include <optional>

#include "absl/time/time.h"
#include "agent/machine/counters.h"

namespace tare::agent {

// /proc/stat counts in steps of 10 ms. Its idle, disk wait and steal columns can each be one step
// off, so over this time the share is uncertain by 7.5 % on two CPUs at the very worst, and less
// with more CPUs or time. A shorter block would give a guess.
inline constexpr absl::Duration kForeignShareWallMin = absl::Milliseconds(200);

// (Busy time of all CPUs - ours) / (wall × CPUs), in [0, 1]. Busy is what is neither idle nor
// stolen: idle time is kept exactly by the kernel, while the busy columns are sampled. Absent when
// the wall time is below kForeignShareWallMin or our own time is not known.
std::optional<double> ForeignCpuShare(const CpuTicks& ticks, int cpus_count, absl::Duration wall,
                                      std::optional<int64_t> own_cpu_ns);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_FOREIGN_SHARE_H_
