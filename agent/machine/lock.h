// One measuring agent a machine.
//
// Two measurements at once would disturb each other, so an agent takes this lock for as long as it
// measures. The kernel drops it when the holder dies, however it dies. Not a lock between threads.
//
// Not thread-safe; the destructor releases it.

#ifndef TARE_AGENT_MACHINE_LOCK_H_
#define TARE_AGENT_MACHINE_LOCK_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/unique_fd.h"

namespace tare::agent {

class MachineLock {
 public:
  // /run/lock/tare-agent.lock, or in /tmp where that directory is absent or not writable.
  static std::string DefaultPath();

  // Takes the lock for `run`, or says at once who has it. The file is made when absent, usable by
  // all users, and stays.
  //
  // Errors: ResourceExhausted (held: names the holder's run and pid); PermissionDenied, NotFound
  // and others as errno says when the file cannot be opened or made.
  static absl::StatusOr<MachineLock> Take(const std::string& path, absl::string_view run);

 private:
  explicit MachineLock(UniqueFd file) : file_(std::move(file)) {}

  UniqueFd file_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_LOCK_H_
