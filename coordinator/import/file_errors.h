// What is wrong with files of measured data, collected so that all of it is told at once.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_IMPORT_FILE_ERRORS_H_
#define TARE_COORDINATOR_IMPORT_FILE_ERRORS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {

// Errors told; the rest are counted.
inline constexpr size_t kFileErrorsShownMax = 20;

// A line of a file, from 1.
struct FileLine {
  std::string file;
  int64_t line = 0;
};

class FileErrors {
 public:
  // `what` is wrong; `accepted` would have been right, or is empty.
  void Add(const FileLine& where, absl::string_view what, absl::string_view accepted);

  bool empty() const { return count_ == 0; }

  // OK when empty; else InvalidArgument with "file:line: what" of each and what is accepted, in the
  // order in which they were added.
  absl::Status ToStatus() const;

 private:
  std::vector<std::string> texts_;  // at most kFileErrorsShownMax
  size_t count_ = 0;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_FILE_ERRORS_H_
