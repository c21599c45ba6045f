#include "agent/machine/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"
#include "base/status.h"

namespace tare::agent {
namespace {

constexpr char kPath[] = "/run/lock/tare-agent.lock";
constexpr char kPathFallback[] = "/tmp/tare-agent.lock";
constexpr int64_t kHolderBytesMax = 4096;

// Opens before it makes: in a directory such as /tmp the kernel refuses O_CREAT on a file of
// another user (fs.protected_regular), even to root.
absl::StatusOr<UniqueFd> OpenOrMake(const std::string& path) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  UniqueFd file(open(path.c_str(), kFlags));
  if (!file.is_open() && errno == ENOENT) {
    file = UniqueFd(open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666));
    if (file.is_open()) {
      fchmod(file.get(), 0666);  // whatever the umask: the next agent may belong to another user
    } else if (errno == EEXIST) {
      file = UniqueFd(open(path.c_str(), kFlags));  // another agent was quicker
    }
  }
  if (!file.is_open()) {
    return ErrnoError(errno, absl::StrCat("machine lock '", path, "' cannot be opened"))
        .Try("give the agent another lock file, or remove this one while nothing is measured");
  }
  return file;
}

absl::Status HeldError(const std::string& path) {
  std::string holder = "another agent";
  if (const auto content = ReadFile(path, kHolderBytesMax); content.ok()) {
    const std::vector<std::string> lines = absl::StrSplit(*content, '\n');
    // A holder that has only just taken the lock has not written its lines yet.
    if (lines.size() >= 2) holder = absl::StrCat("run ", lines[0], " (pid ", lines[1], ")");
  }
  return MakeError(absl::StatusCode::kResourceExhausted,
                   absl::StrCat("this machine is being measured by ", holder))
      .Detail(absl::StrCat("it holds the lock '", path, "'"))
      .Try("wait until it has finished, or stop it");
}

}  // namespace

std::string MachineLock::DefaultPath() {
  return access("/run/lock", W_OK) == 0 ? kPath : kPathFallback;
}

absl::StatusOr<MachineLock> MachineLock::Take(const std::string& path, absl::string_view run) {
  ASSIGN_OR_RETURN(UniqueFd file, OpenOrMake(path));
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return HeldError(path);
    return ErrnoError(errno, absl::StrCat("machine lock '", path, "' cannot be taken"));
  }
  absl::Status status = ftruncate(file.get(), 0) == 0
                            ? WriteFully(file.get(), absl::StrCat(run, "\n", getpid(), "\n"))
                            : absl::Status(ErrnoError(errno, "cannot empty it"));
  if (!status.ok()) return Annotate(status, absl::StrCat("machine lock '", path, "'"));
  return MachineLock(std::move(file));
}

}  // namespace tare::agent
