// What the command line exits with, and how it says why.

#ifndef TARE_COORDINATOR_CLI_EXIT_CODE_H_
#define TARE_COORDINATOR_CLI_EXIT_CODE_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {

inline constexpr int kExitRefused = 3;
inline constexpr int kExitUsage = 64;        // bad experiment or usage, program absent
inline constexpr int kExitUnavailable = 69;  // agent, store, service; disk full; lock held
inline constexpr int kExitBug = 70;
inline constexpr int kExitInterrupted = 130;

// 0 when OK.
int ExitCodeOf(const absl::Status& status);

// Prints "tare: what", detail and try on stderr (what begins with a file position as it is) and
// returns ExitCodeOf(status).
int Complain(const absl::Status& status);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_EXIT_CODE_H_
