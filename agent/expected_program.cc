#include "agent/expected_program.h"

#include "absl/strings/str_cat.h"
#include "agent/machine/identity.h"
#include "base/status.h"

namespace tare::agent {

absl::Status CheckExpectedProgram(const v1::TrialSpec& spec, const std::string& role,
                                  const std::string& arm, const std::string& path) {
  for (const v1::ExpectedProgram& expected : spec.expected_programs()) {
    if (expected.role() != role || expected.arm() != arm) continue;
    ASSIGN_OR_RETURN(const std::string sha256, FileSha256(path));
    if (sha256 == expected.program_sha256()) continue;
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("program '", path, "' changed since the run began"))
        .Detail(absl::StrCat("SHA-256 was ", expected.program_sha256(), ", is ", sha256))
        .Try("start a new run");
  }
  return absl::OkStatus();
}

}  // namespace tare::agent
