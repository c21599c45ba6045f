#include "agent/machine/identity.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <set>
#include <tuple>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/synchronization/mutex.h"
#include "agent/machine/build_id.h"
#include "agent/machine/sha256.h"
#include "base/files.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace tare::agent {
namespace {

constexpr size_t kDigestsMax = 256;
constexpr int kLibrariesMax = 1024;

// The same program is identified before every trial, so its digest is kept for as long as the file
// is the same one and has not been written to.
using FileKey = std::tuple<std::string, dev_t, ino_t, int64_t, int64_t, off_t>;

class DigestCache {
 public:
  std::string Find(const FileKey& key) {
    absl::MutexLock lock(&mutex_);
    const auto found = digests_.find(key);
    return found == digests_.end() ? "" : found->second;
  }

  void Keep(const FileKey& key, const std::string& digest) {
    absl::MutexLock lock(&mutex_);
    if (digests_.size() >= kDigestsMax) digests_.clear();
    digests_[key] = digest;
  }

 private:
  absl::Mutex mutex_;
  std::map<FileKey, std::string> digests_ ABSL_GUARDED_BY(mutex_);
};

DigestCache& Digests() {
  static DigestCache* const kDigests = new DigestCache;
  return *kDigests;
}

// Files with code that the process has mapped, without the program itself.
std::set<std::string> MappedLibraries(absl::string_view maps, absl::string_view program_path) {
  std::set<std::string> paths;
  for (absl::string_view line : absl::StrSplit(maps, '\n')) {
    const size_t slash = line.find('/');
    // "start-end r-xp offset device inode    /path"
    const std::vector<absl::string_view> fields = absl::StrSplit(line, absl::MaxSplits(' ', 2));
    if (slash == absl::string_view::npos || fields.size() < 3) continue;
    if (fields[1].size() < 3 || fields[1][2] != 'x') continue;
    const absl::string_view path = line.substr(slash);
    if (path != program_path) paths.insert(std::string(path));
  }
  return paths;
}

std::string EnvironmentSha256(std::vector<std::string> environment) {
  std::sort(environment.begin(), environment.end());
  Sha256 digest;
  for (const std::string& variable : environment) {
    digest.Add(variable);
    digest.Add(absl::string_view("\0", 1));
  }
  return digest.Hex();
}

}  // namespace

absl::StatusOr<std::string> FileSha256(const std::string& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat file = {};
  if (!fd.is_open() || fstat(fd.get(), &file) != 0) {
    return ErrnoError(errno, absl::StrCat("'", path, "' cannot be read"));
  }
  const FileKey key(path, file.st_dev, file.st_ino, file.st_mtim.tv_sec, file.st_mtim.tv_nsec,
                    file.st_size);
  if (std::string known = Digests().Find(key); !known.empty()) return known;
  Sha256 digest;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = read(fd.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ErrnoError(errno, absl::StrCat("'", path, "' cannot be read"));
    if (count == 0) break;
    digest.Add(absl::string_view(buffer, static_cast<size_t>(count)));
  }
  const std::string hex = digest.Hex();
  Digests().Keep(key, hex);
  return hex;
}

absl::Status IdentifyProcess(pid_t pid, const std::string& program_path,
                             const std::vector<std::string>& environment, v1::Process* process) {
  ASSIGN_OR_RETURN(const std::string digest, FileSha256(program_path));
  process->set_program_path(program_path);
  process->set_program_sha256(digest);
  process->set_build_id(ReadBuildId(program_path));
  process->set_environment_sha256(EnvironmentSha256(environment));
  process->clear_libraries();
  const auto maps = ReadFile(absl::StrCat("/proc/", pid, "/maps"));
  if (!maps.ok()) return absl::OkStatus();
  for (const std::string& path : MappedLibraries(*maps, program_path)) {
    if (process->libraries_size() == kLibrariesMax) break;
    v1::Library* library = process->add_libraries();
    library->set_path(path);
    library->set_build_id(ReadBuildId(path));
  }
  return absl::OkStatus();
}

}  // namespace tare::agent
