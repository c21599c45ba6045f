// Starting a warden and the pipes to it.
//
// Thread-safe.

#ifndef TARE_AGENT_LAUNCH_WARDEN_SPAWN_H_
#define TARE_AGENT_LAUNCH_WARDEN_SPAWN_H_

#include <sys/types.h>

#include <string>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace tare::agent {

// Both ends of what leads to one warden. The protocol's are not open when there is no protocol.
struct Channels {
  UniqueFd control;
  UniqueFd to_process;    // non-blocking
  UniqueFd from_process;  // non-blocking
  UniqueFd warden_control;
  UniqueFd warden_in;
  UniqueFd warden_out;
};

absl::StatusOr<Channels> OpenChannels(bool has_protocol);

// Starts `program`, the warden, in a session of its own, and closes its ends of `channels` here.
// Unavailable when it cannot be started.
absl::StatusOr<pid_t> SpawnWarden(const std::string& program, Channels& channels);

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_WARDEN_SPAWN_H_
