// What is wrong with an experiment file, collected so that all of it is told at once.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_VIOLATIONS_H_
#define TARE_COORDINATOR_EXPERIMENT_VIOLATIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {

// Violations told of one file; the rest are counted.
inline constexpr size_t kViolationsShownMax = 50;

// A place in the file: lines and bytes of the line, both from 1.
struct Position {
  int line = 1;
  int column = 1;
};

class Violations {
 public:
  // The three parts of an error message (base/status.h); `detail` and `action` may be empty.
  void Add(Position position, absl::string_view what, absl::string_view detail = "",
           absl::string_view action = "");

  bool empty() const { return entries_.empty(); }

  // OK when empty; else InvalidArgument with "file:line:column: …" of each, in the order of the
  // file.
  absl::Status ToStatus(absl::string_view file) const;

 private:
  struct Entry {
    Position position;
    std::string what;
    std::string detail;
    std::string action;
  };
  std::vector<Entry> entries_;
};

// The text in single quotes, shortened when it is long.
std::string Quote(absl::string_view text);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_VIOLATIONS_H_
