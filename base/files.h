// Whole small files, read and written.
//
// For /proc, configuration and results; not for streams or data of unbounded size. Thread-safe.

#ifndef TARE_BASE_FILES_H_
#define TARE_BASE_FILES_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tare {

// The file's bytes. NotFound or PermissionDenied as errno says; ResourceExhausted when it is longer
// than `bytes_max`.
absl::StatusOr<std::string> ReadFile(const std::string& path, int64_t bytes_max = 64 << 20);

// Replaces the file atomically: a temporary file beside it, fsync, rename. ResourceExhausted when
// the disk is full; the old content then still stands.
absl::Status WriteFile(const std::string& path, absl::string_view content);

// Writes all of `content` to an open descriptor, retrying short writes and EINTR.
absl::Status WriteFully(int fd, absl::string_view content);

}  // namespace tare

#endif  // TARE_BASE_FILES_H_
