// The rows of tables `chunks` and `sample_columns` of a SQLite store.
//
// Not thread-safe: the caller holds the database.

#ifndef TARE_COORDINATOR_STORE_SQLITE_CHUNKS_H_
#define TARE_COORDINATOR_STORE_SQLITE_CHUNKS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/store/received_chunk.h"
#include "coordinator/store/sqlite.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

// Store::AddChunk for a chunk that has passed CheckChunk, which gave `received`.
absl::Status InsertChunk(Database* database, const v1::Chunk& chunk, const ReceivedChunk& received);

// One sample block and where it stands.
struct StoredBlock {
  std::string role;
  int64_t sequence = 0;
  v1::SampleBlock block;
};

// The attempt's first block after (`role`, `sequence`) in that order; none at the end. DataLoss
// when it is damaged.
absl::StatusOr<std::optional<StoredBlock>> SelectBlockAfter(Database* database, int64_t attempt_id,
                                                            const std::string& role,
                                                            int64_t sequence);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_SQLITE_CHUNKS_H_
