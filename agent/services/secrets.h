// Taking secrets out of texts that go to people, logs or the store.
//
// For what others say (libpq, a server, a workload) about an address that holds a password. Not for
// what we say: that names no secret in the first place. Pure functions, thread-safe.

#ifndef TARE_AGENT_SERVICES_SECRETS_H_
#define TARE_AGENT_SERVICES_SECRETS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tare::agent {

// `text` with every secret replaced by "***"; the longest first, so that a secret inside another
// leaves no trace of it. Empty secrets are passed over.
std::string RedactSecrets(absl::string_view text, const std::vector<std::string>& secrets);

// The same for all parts of an error.
absl::Status RedactSecrets(const absl::Status& status, const std::vector<std::string>& secrets);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_SECRETS_H_
