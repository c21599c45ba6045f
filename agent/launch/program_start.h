// The warden's first half: turns a StartRequest into a running program.
//
// The child gets its own session, /dev/null as stdin, one pipe for stdout and stderr, the protocol
// pipes, user, limits and affinity, dies with the warden, and inherits nothing else. Linux only.
// Call from a single-threaded process.

#ifndef TARE_AGENT_LAUNCH_PROGRAM_START_H_
#define TARE_AGENT_LAUNCH_PROGRAM_START_H_

#include <sys/types.h>

#include "agent/launch/message.h"

namespace tare::agent {

struct StartedProgram {
  pid_t pid = -1;      // -1: it could not be started
  int output_fd = -1;  // non-blocking end of its stdout and stderr
  // When it could not: where, and errno.
  const char* refused_step = nullptr;
  int error_number = 0;
};

// Returns once the program has been exec'd, or was not. Closes the protocol descriptors.
StartedProgram StartProgram(const StartRequest& request);

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_PROGRAM_START_H_
