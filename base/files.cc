#include "base/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace tare {

absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t bytes_max) {
  UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.is_open()) return ErrnoError(errno, absl::StrCat("cannot open '", path, "'"));
  std::string content;
  char buffer[1 << 16];
  while (true) {
    const ssize_t count = read(fd.get(), buffer, sizeof buffer);
    if (count < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(errno, absl::StrCat("cannot read '", path, "'"));
    }
    if (count == 0) return content;
    content.append(buffer, static_cast<size_t>(count));
    if (static_cast<int64_t>(content.size()) > bytes_max) {
      return MakeError(absl::StatusCode::kResourceExhausted,
                       absl::StrCat("'", path, "' is longer than ", bytes_max, " bytes"));
    }
  }
}

absl::Status WriteFully(int fd, absl::string_view content) {
  while (!content.empty()) {
    const ssize_t count = write(fd, content.data(), content.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return ErrnoError(errno, "cannot write");
    }
    content.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status WriteFile(const std::string& path, absl::string_view content) {
  const std::string temporary = absl::StrCat(path, ".", getpid(), ".new");
  UniqueFd fd(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!fd.is_open()) return ErrnoError(errno, absl::StrCat("cannot create '", temporary, "'"));
  absl::Status status = WriteFully(fd.get(), content);
  if (status.ok() && fsync(fd.get()) != 0) status = ErrnoError(errno, "cannot sync");
  if (status.ok() && rename(temporary.c_str(), path.c_str()) != 0) {
    status = ErrnoError(errno, "cannot rename");
  }
  if (!status.ok()) unlink(temporary.c_str());
  return Annotate(status, absl::StrCat("'", path, "'"));
}

}  // namespace tare
