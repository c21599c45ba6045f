// When can a server serve?
//
// Blocks; thread-safe for different processes.

#ifndef TARE_AGENT_SERVICES_READINESS_H_
#define TARE_AGENT_SERVICES_READINESS_H_

#include "absl/status/status.h"
#include "agent/launch/process.h"
#include "tare/v1/experiment.pb.h"

namespace tare::agent {

// Waits until the server that `process` is can serve on `port` of 127.0.0.1, as `ready` says: a
// path answers 2xx, a line was written, or (neither given) connections are accepted.
//
// Errors: DeadlineExceeded when not within `ready.timeout`, with what was seen last; Unavailable as
// soon as the process has ended, with its last words.
absl::Status AwaitReady(const v1::Readiness& ready, int port, Process& process);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_READINESS_H_
