#include "coordinator/store/store.h"

namespace tare::coordinator {

absl::string_view RunStateName(RunState state) {
  switch (state) {
    case RunState::kRunning:
      return "running";
    case RunState::kComplete:
      return "complete";
    case RunState::kCancelled:
      return "cancelled";
    case RunState::kFailed:
      return "failed";
  }
  return "";
}

}  // namespace tare::coordinator
