// TCP ports of this machine's loopback: a free one, and who listens on one.
//
// Reads of /proc; thread-safe. What cannot be read is absent, never guessed.

#ifndef TARE_AGENT_SERVICES_PORT_H_
#define TARE_AGENT_SERVICES_PORT_H_

#include <sys/types.h>

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace tare::agent {

// A port of 127.0.0.1 that nobody had a moment ago. Another process may take it before its user
// does. Unavailable when there is none.
absl::StatusOr<int> FreePort();

// The first of `among` that listens on `port`, on any address. Absent when none of them does.
std::optional<pid_t> ListenerOf(int port, const std::vector<pid_t>& among);

// A connection to `port` of 127.0.0.1; not open when nobody accepts one within a second. Reading
// and writing wait no longer either.
UniqueFd ConnectTo(int port);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_PORT_H_
