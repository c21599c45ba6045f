// The rows of table `runs` of a SQLite store. The contracts are those of Store's functions of the
// same name.
//
// Not thread-safe: the caller holds the database.

#ifndef TARE_COORDINATOR_STORE_SQLITE_RUNS_H_
#define TARE_COORDINATOR_STORE_SQLITE_RUNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/sqlite.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

absl::Status InsertRun(Database* database, const std::string& run, int64_t created_unix_ns,
                       const v1::Experiment& experiment, const v1::Plan& plan);
absl::Status UpdateRunState(Database* database, const std::string& run, RunState state);
absl::StatusOr<std::vector<RunSummary>> SelectRuns(Database* database);
absl::StatusOr<std::string> ResolveRun(Database* database, const std::string& name);
absl::StatusOr<StoredRun> SelectRun(Database* database, const std::string& run);

// What other tables refer to a run by.
struct RunRow {
  int64_t run_id = 0;
  int32_t trials_planned = 0;
};
absl::StatusOr<RunRow> FindRun(Database* database, const std::string& run);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_SQLITE_RUNS_H_
