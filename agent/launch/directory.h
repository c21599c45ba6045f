// Directories of a run that disappear with their owner.
//
// Each holds a file 'owner' that the owning process keeps locked (flock), so that after a power
// cut, or when owner and warden were both killed, the next start knows which directories nobody
// owns. Not a lock between agents: see the machine lock.
//
// A PrivateDirectory has one owner and is not thread-safe; SweepStaleDirectories is.

#ifndef TARE_AGENT_LAUNCH_DIRECTORY_H_
#define TARE_AGENT_LAUNCH_DIRECTORY_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace tare::agent {

class PrivateDirectory {
 public:
  // Makes `base`/tare-<random>, which other users may enter but not list, as services run under
  // accounts of their own. ResourceExhausted when the disk is full, NotFound or PermissionDenied
  // for `base`.
  static absl::StatusOr<PrivateDirectory> Make(const std::string& base);

  PrivateDirectory(PrivateDirectory&& other) noexcept
      : path_(std::exchange(other.path_, "")), owner_(std::move(other.owner_)) {}
  PrivateDirectory& operator=(PrivateDirectory&&) = delete;
  // Deletes it with all that is in it.
  ~PrivateDirectory();

  const std::string& path() const { return path_; }

 private:
  PrivateDirectory(std::string path, UniqueFd owner)
      : path_(std::move(path)), owner_(std::move(owner)) {}

  std::string path_;
  UniqueFd owner_;
};

// Deletes the directories under `base` whose owner is gone. For the start of an agent. Returns how
// many; those that cannot be deleted stay and are not counted.
int SweepStaleDirectories(const std::string& base);

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_DIRECTORY_H_
