// A chunk as it comes from an agent: checked before anything of it is kept.
//
// Looks at the chunk alone; what the store already holds is the store's to compare. Pure function,
// thread-safe.

#ifndef TARE_COORDINATOR_STORE_RECEIVED_CHUNK_H_
#define TARE_COORDINATOR_STORE_RECEIVED_CHUNK_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/store/block_columns.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

// The parts of a chunk's payload that are stored.
struct ReceivedChunk {
  std::string message;          // serialised: the payload, of samples without its columns
  std::vector<Column> columns;  // of samples
  v1::Manifest manifest;        // of a manifest
};

// Errors are prefixed by what names the chunk.
//   DataLoss         the crc does not fit the payload.
//   InvalidArgument  the payload is too long, or not what kind and count say.
absl::StatusOr<ReceivedChunk> CheckChunk(const v1::Chunk& chunk);

// "run '…' trial 3 attempt 1", as messages name an attempt.
std::string AttemptName(const std::string& run, int32_t trial, int32_t attempt);

// "run '…' trial 3 attempt 1 role 'workload' chunk 7".
std::string ChunkName(const v1::Chunk& chunk);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_RECEIVED_CHUNK_H_
