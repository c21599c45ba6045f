// Measured data from elsewhere as a run, so that the analysis judges it like one of tare's own.
//
// What such data cannot prove (that the machine was quiet, which program ran, that it worked) has
// no record here, and the analysis says `not run` of it. Not for tare's own runs: these have a
// store. Pure function, thread-safe.

#ifndef TARE_COORDINATOR_IMPORT_IMPORT_H_
#define TARE_COORDINATOR_IMPORT_IMPORT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"

namespace tare::coordinator {

// Of one file.
inline constexpr int64_t kMeasuredFileBytesMax = 64 << 20;

struct MeasuredFile {
  std::string name;
  std::string text;
};

struct ImportOptions {
  // Names of the arms in the files.
  std::string baseline = "baseline";
  std::string candidate = "candidate";
  // Absent: "control" where the files have that arm. Pairs have none.
  std::optional<std::string> control = std::nullopt;
  // So many samples at the beginning of each process are warm-up; of pairs, so many pairs.
  int32_t skip = 0;
};

// All files together are one run: lines of rounds (rounds_file.h) or of pairs (pairs_file.h), told
// apart by their first character. The experiment is named after the first file and is a gate
// without a threshold; its caller may add threshold and metrics.
//
// InvalidArgument: all that is wrong with the files, by line, or that does not fit the options.
absl::StatusOr<RunData> Import(std::vector<MeasuredFile> files, const ImportOptions& options);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_IMPORT_H_
