// What a service's program said last, made fit for an error's detail.
//
// Pure functions, thread-safe.

#ifndef TARE_AGENT_SERVICES_SERVER_LOG_H_
#define TARE_AGENT_SERVICES_SERVER_LOG_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tare::agent {

// The last lines of `log`, without their time stamps, on one line.
std::string LastWords(absl::string_view log);

// What a program that ended with this log is to be blamed for: ResourceExhausted for a full disk,
// InvalidArgument for a setting, Unavailable otherwise.
absl::StatusCode CodeOfServerText(absl::string_view log);

// That a server lost the race for its port.
bool SaysPortIsTaken(absl::string_view log);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_SERVER_LOG_H_
