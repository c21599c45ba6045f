#include "coordinator/cli/exit_code.h"

#include <cstdio>

#include "base/status.h"

namespace tare::coordinator {

int ExitCodeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 0;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kAlreadyExists:
      return kExitUsage;
    case absl::StatusCode::kCancelled:
      return kExitInterrupted;
    case absl::StatusCode::kInternal:
    case absl::StatusCode::kUnknown:
    case absl::StatusCode::kUnimplemented:
      return kExitBug;
    default:
      return kExitUnavailable;
  }
}

int Complain(const absl::Status& status) {
  std::fprintf(stderr, "tare: %s\n", FormatError(status).c_str());
  return ExitCodeOf(status);
}

}  // namespace tare::coordinator
