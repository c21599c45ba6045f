// CSV of pairs: one set of two samples a line, taken back to back by one process.
//
//   process,first,baseline_ns,candidate_ns,applied_ns
//   0,candidate,435956,970057,500011
//
// Columns by their names, in any order: `process`; for each of the two arms NAME_ns, NAME_us or
// NAME_ms; `first`, the arm that ran first; `applied_ns` (or _us, _ms), the known delay that the
// candidate got. The last two may be absent, other columns are not read. Lines of a process are in
// the order of measurement. Pure function, thread-safe.

#ifndef TARE_COORDINATOR_IMPORT_PAIRS_FILE_H_
#define TARE_COORDINATOR_IMPORT_PAIRS_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/import/file_errors.h"

namespace tare::coordinator {

struct MeasuredPair {
  FileLine where;
  int32_t process = 0;
  std::optional<bool> is_baseline_first;  // absent: the file does not say
  int64_t baseline_ns = 0;
  int64_t candidate_ns = 0;
  std::optional<int64_t> applied_ns;
};

struct PairedArms {
  std::string baseline;
  std::string candidate;
};

// The pairs of all lines that can be read. What is wrong with the others is added to `errors`.
std::vector<MeasuredPair> ReadPairsFile(absl::string_view text, const std::string& file,
                                        const PairedArms& arms, FileErrors* errors);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_PAIRS_FILE_H_
