// How a service's process came to its end, in words.
//
// Blocks for a moment. Not thread-safe for one process.

#ifndef TARE_AGENT_SERVICES_DEATH_H_
#define TARE_AGENT_SERVICES_DEATH_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "agent/launch/process.h"

namespace tare::agent {

// Unavailable: "`subject` exited with code 7 `when`", its last words in the detail. For a process
// that has ended, or is about to: waits for its exit status a little, and is DeadlineExceeded when
// it goes on.
absl::Status DeathOf(Process& process, absl::string_view subject, absl::string_view when = "");

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_DEATH_H_
