// The schema of a SQLite store: recognises it, creates it, brings it up to date.
//
// A tare store carries tare's application id and the number of its schema in the file's header.
// Migrations are files (migrations/*.sql), applied in one transaction.

#ifndef TARE_COORDINATOR_STORE_SCHEMA_H_
#define TARE_COORDINATOR_STORE_SCHEMA_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "coordinator/store/sqlite.h"

namespace tare::coordinator {

// "tare" in ASCII, at byte 68 of the file.
inline constexpr int32_t kApplicationId = 0x74617265;

// Makes `database` ready for use: an empty one gets the schema, an older one is migrated. A file
// that is not ours is not written to. Beside the errors of every statement: InvalidArgument for
// such a file, FailedPrecondition for a schema newer than this tare. Several processes may call it
// for one new store at once; each waits at most `lock_wait_max` for the others.
absl::Status PrepareSchema(Database* database, absl::Duration lock_wait_max);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_SCHEMA_H_
