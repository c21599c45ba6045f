// What a killed warden leaves behind in this process, and its end.
//
// The program itself dies with its warden. Its descendants become children of this process (a child
// subreaper) and are told from our own children by their session: every program has one of its own,
// and nobody can join ours. Their environment would not tell: PostgreSQL writes over it.
//
// Thread-safe.

#ifndef TARE_AGENT_LAUNCH_ORPHANS_H_
#define TARE_AGENT_LAUNCH_ORPHANS_H_

#include <sys/types.h>

#include <functional>

#include "absl/status/statusor.h"

namespace tare::agent {

// Calls `spawn`, which starts a warden in a session of its own and returns its pid, and remembers
// that this child is no orphan.
absl::StatusOr<pid_t> RegisterWarden(const std::function<absl::StatusOr<pid_t>()>& spawn);

// Forgets a warden that has been waited for.
void ForgetWarden(pid_t warden);

// Kills and reaps all orphans of wardens that are gone. Gives up after 5 s on those that the kernel
// does not let die.
void EndOrphans();

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_ORPHANS_H_
