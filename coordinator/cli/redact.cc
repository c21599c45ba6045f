#include "coordinator/cli/redact.h"

#include <regex>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

constexpr char kHidden[] = "***";

// Both forms that libpq takes: "password=secret", quoted or not, and "postgresql://user:secret@…",
// also with "?password=secret".
std::string RedactDsn(const std::string& dsn) {
  static const std::regex kKeyword(R"((password\s*=\s*)('(?:[^'\\]|\\.)*'|[^\s&]+))",
                                   std::regex::icase);
  static const std::regex kUri(R"(^(postgres(?:ql)?://[^:/@]*:)([^@]*)@)");
  return std::regex_replace(std::regex_replace(dsn, kKeyword, absl::StrCat("$1", kHidden)), kUri,
                            absl::StrCat("$1", kHidden, "@"));
}

}  // namespace

v1::Experiment RedactedExperiment(const v1::Experiment& experiment) {
  v1::Experiment redacted = experiment;
  for (v1::Service& service : *redacted.mutable_services()) {
    if (!service.has_postgres() || !service.postgres().has_dsn()) continue;
    service.mutable_postgres()->set_dsn(RedactDsn(service.postgres().dsn()));
  }
  return redacted;
}

absl::Status CheckResumable(const v1::Experiment& experiment) {
  for (const v1::Service& service : experiment.services()) {
    if (!absl::StrContains(service.postgres().dsn(), kHidden)) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("service '", service.name(),
                                  "': its dsn was stored without the password"))
        .Try(
            "start a new run with a dsn without a password, and give it in PGPASSWORD or "
            "~/.pgpass");
  }
  return absl::OkStatus();
}

}  // namespace tare::coordinator
