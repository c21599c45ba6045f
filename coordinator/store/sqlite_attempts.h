// The rows of tables `attempts` and `closings` of a SQLite store. The contracts are those of
// Store's functions: InsertAttempt is AddAttempt, InsertClosing is CloseAttempt, SelectAttempts is
// ListAttempts.
//
// Not thread-safe: the caller holds the database.

#ifndef TARE_COORDINATOR_STORE_SQLITE_ATTEMPTS_H_
#define TARE_COORDINATOR_STORE_SQLITE_ATTEMPTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/sqlite.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

absl::StatusOr<int32_t> InsertAttempt(Database* database, const std::string& run, int32_t trial,
                                      const std::string& agent, int64_t epoch);
absl::Status InsertClosing(Database* database, const std::string& run, int32_t trial,
                           int32_t attempt, const v1::TrialRecord& record);
absl::StatusOr<std::vector<AttemptSummary>> SelectAttempts(Database* database,
                                                           const std::string& run);

// What other tables refer to an attempt by.
struct AttemptRow {
  int64_t attempt_id = 0;
  int64_t epoch = 0;
};
// NotFound when the run has no such attempt.
absl::StatusOr<AttemptRow> FindAttempt(Database* database, const std::string& run, int32_t trial,
                                       int32_t attempt);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_SQLITE_ATTEMPTS_H_
