#include "agent/launch/directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/token.h"

namespace tare::agent {
namespace {

constexpr char kPrefix[] = "tare-";
constexpr int kMakeTriesMax = 8;

std::string OwnerFile(const std::string& directory) { return absl::StrCat(directory, "/owner"); }

}  // namespace

absl::StatusOr<PrivateDirectory> PrivateDirectory::Make(const std::string& base) {
  int error_number = EEXIST;
  for (int i = 0; i < kMakeTriesMax; ++i) {
    const std::string path = absl::StrCat(base, "/", kPrefix, RandomToken(8));
    if (mkdir(path.c_str(), 0700) != 0) {
      error_number = errno;
      if (error_number == EEXIST) continue;
      break;
    }
    // A sweep may take the new directory for a stale one until the lock is held; then make another.
    UniqueFd owner(open(OwnerFile(path).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    struct stat status {};
    if (owner.is_open() && flock(owner.get(), LOCK_EX) == 0 && fstat(owner.get(), &status) == 0 &&
        status.st_nlink > 0 && chmod(path.c_str(), 0711) == 0) {
      return PrivateDirectory(path, std::move(owner));
    }
    error_number = errno;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
    if (error_number == ENOSPC || error_number == EDQUOT) break;
  }
  return ErrnoError(error_number, absl::StrCat("cannot make a directory in '", base, "'"));
}

PrivateDirectory::~PrivateDirectory() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

int SweepStaleDirectories(const std::string& base) {
  int swept_count = 0;
  std::error_code ignored;
  // Stepped by hand: the iterator's own ++ throws.
  for (std::filesystem::directory_iterator item(base, ignored), end; item != end;
       item.increment(ignored)) {
    const std::string path = item->path();
    if (!absl::StartsWith(item->path().filename().string(), kPrefix)) continue;
    UniqueFd owner(open(OwnerFile(path).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    if (!owner.is_open() || flock(owner.get(), LOCK_EX | LOCK_NB) != 0) continue;
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (!error) ++swept_count;
  }
  return swept_count;
}

}  // namespace tare::agent
