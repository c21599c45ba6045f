// JSON lines of rounds: one process a line, its samples in the order in which they were sent.
//
//   {"arm":"baseline","round":1,"errors":0,"queries":2,"ms":[18.714,10.465]}
//
// `arm`, `round` and one of `ms`, `us`, `ns` are required. Other keys are not read. Pure function,
// thread-safe.

#ifndef TARE_COORDINATOR_IMPORT_ROUNDS_FILE_H_
#define TARE_COORDINATOR_IMPORT_ROUNDS_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/import/file_errors.h"

namespace tare::coordinator {

// Numbers of rounds are from 0 and at most this.
inline constexpr int64_t kRoundNumberMax = 1'000'000'000;

struct MeasuredProcess {
  FileLine where;
  std::string arm;
  int32_t round = 0;
  std::vector<int64_t> values_ns;  // at least one
  int64_t errors = 0;              // operations that failed, of which there are no samples
  std::optional<double> queries;   // of the server, an operation
};

// The processes of all lines that can be read. What is wrong with the others is added to `errors`.
std::vector<MeasuredProcess> ReadRoundsFile(absl::string_view text, const std::string& file,
                                            FileErrors* errors);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_ROUNDS_FILE_H_
