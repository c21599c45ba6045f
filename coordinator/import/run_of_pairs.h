// Measured pairs as a run of one process after the other, each hosting both arms.

#ifndef TARE_COORDINATOR_IMPORT_RUN_OF_PAIRS_H_
#define TARE_COORDINATOR_IMPORT_RUN_OF_PAIRS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/import/import.h"
#include "coordinator/import/pairs_file.h"

namespace tare::coordinator {

// The order is random where each arm came first at times, fixed where one always did, and unknown
// (ORDER_UNSPECIFIED) where a pair does not say.
//
// InvalidArgument: a process is in two files, or has no pair behind the warm-up.
absl::StatusOr<RunData> MakeRunOfPairs(const std::vector<MeasuredFile>& files,
                                       const std::vector<MeasuredPair>& pairs,
                                       const ImportOptions& options);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_RUN_OF_PAIRS_H_
