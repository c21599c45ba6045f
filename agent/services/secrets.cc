#include "agent/services/secrets.h"

#include <algorithm>

#include "absl/strings/str_replace.h"
#include "base/status.h"

namespace tare::agent {

std::string RedactSecrets(absl::string_view text, const std::vector<std::string>& secrets) {
  std::vector<std::string> longest_first = secrets;
  std::sort(longest_first.begin(), longest_first.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  std::string redacted(text);
  for (const std::string& secret : longest_first) {
    if (!secret.empty()) absl::StrReplaceAll({{secret, "***"}}, &redacted);
  }
  return redacted;
}

absl::Status RedactSecrets(const absl::Status& status, const std::vector<std::string>& secrets) {
  if (status.ok()) return status;
  const ErrorParts parts = PartsOf(status);
  return MakeError(status.code(), RedactSecrets(parts.what, secrets))
      .Detail(RedactSecrets(parts.detail, secrets))
      .Try(RedactSecrets(parts.action, secrets));
}

}  // namespace tare::agent
