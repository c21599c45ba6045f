#include "coordinator/store/creation_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kRetry = absl::Milliseconds(5);

}  // namespace

absl::StatusOr<CreationLock> CreationLock::Take(const std::string& store, absl::Duration wait_max) {
  const std::filesystem::path parent = std::filesystem::path(store).parent_path();
  const std::string path = parent.empty() ? std::filesystem::path(".") : parent;
  UniqueFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) return ErrnoError(errno, absl::StrCat("cannot open '", path, "'"));
  Clock* const clock = Clock::Real();
  const absl::Duration deadline = clock->Monotonic() + wait_max;
  while (flock(directory.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return ErrnoError(errno, absl::StrCat("cannot lock '", path, "'"));
    }
    if (clock->Monotonic() >= deadline) {
      return MakeError(absl::StatusCode::kUnavailable,
                       absl::StrCat("another process is creating a store in '", path, "'"))
          .Detail(absl::StrCat("waited ", absl::FormatDuration(wait_max)));
    }
    clock->Wait(kRetry);
  }
  return CreationLock(std::move(directory));
}

}  // namespace tare::coordinator
