// Store rows in the forms that dispatch and analysis want.

#ifndef TARE_COORDINATOR_CLI_STORED_DATA_H_
#define TARE_COORDINATOR_CLI_STORED_DATA_H_

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/dispatch/dispatch.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

// All that analysis needs of a run, as it is in the store now. Errors: the store's.
absl::StatusOr<RunData> LoadRunData(Store& store, const std::string& run);

// One trial's counted attempt, or its last one. NotFound when it was never attempted.
absl::StatusOr<TrialData> LoadTrialData(Store& store, const std::string& run, int32_t trial);

// Trials of the run that have a counted attempt.
absl::StatusOr<std::set<int32_t>> CountedTrials(Store& store, const std::string& run);

// Writes a run's attempts into a store.
class StoreAttemptLog : public AttemptLog {
 public:
  StoreAttemptLog(Store* store, std::string run) : store_(store), run_(std::move(run)) {}
  absl::StatusOr<int32_t> Open(int32_t trial, const std::string& agent, int64_t epoch) override;
  absl::Status CloseLost(int32_t trial, int32_t attempt, const absl::Status& why) override;
  absl::StatusOr<v1::TrialRecord> Record(int32_t trial, int32_t attempt) override;

 private:
  Store* store_;
  std::string run_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_STORED_DATA_H_
