// A SampleBlock taken apart into columns and a remainder, and put together again.
//
// The store keeps columns packed and the remainder (block number, evidence, step names) as a
// message; no value is stored twice. Split, then Join, gives an equal message.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_STORE_BLOCK_COLUMNS_H_
#define TARE_COORDINATOR_STORE_BLOCK_COLUMNS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tare/v1/record.pb.h"

namespace tare::coordinator {

struct Column {
  int32_t position = 0;  // 0 arm, 1 start_ns, 2 value_ns, 3 applied_ns, 4… the steps in order
  std::string name;
  std::vector<int64_t> values;
};

// InvalidArgument when arm, start_ns, value_ns or a step has not `samples_count` values, or
// applied_ns neither that nor none.
absl::Status CheckColumns(const v1::SampleBlock& block, int64_t samples_count);

// Moves the columns out of `block`, which becomes the remainder. Empty columns give none.
std::vector<Column> SplitBlock(v1::SampleBlock* block);

// Puts one column back into its remainder. DataLoss when the block has no such column.
absl::Status JoinColumn(const Column& column, v1::SampleBlock* block);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_BLOCK_COLUMNS_H_
