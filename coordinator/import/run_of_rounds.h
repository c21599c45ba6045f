// Measured rounds as a run: which arm is which, which trial is missing.

#ifndef TARE_COORDINATOR_IMPORT_RUN_OF_ROUNDS_H_
#define TARE_COORDINATOR_IMPORT_RUN_OF_ROUNDS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/import/import.h"
#include "coordinator/import/rounds_file.h"

namespace tare::coordinator {

// Every arm is expected in every round; one that is absent is a trial without data. The order of
// the arms within a round is not known (ORDER_UNSPECIFIED).
//
// InvalidArgument: an arm of the options is not there or one of the files is not named by them, two
// processes of one arm and round, or a process without samples behind the warm-up.
absl::StatusOr<RunData> MakeRunOfRounds(const std::vector<MeasuredFile>& files,
                                        const std::vector<MeasuredProcess>& processes,
                                        const ImportOptions& options);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_RUN_OF_ROUNDS_H_
