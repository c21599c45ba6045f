// Packs a column of integers: bytes transposed, then zstd.
//
// Latencies of one process share their high bytes; transposing puts these side by side, where zstd
// removes them: about 2 bytes a value instead of 8. Not for text or floating point.
//
// Pure functions, thread-safe. The bytes are the same on every machine of any byte order.

#ifndef TARE_COORDINATOR_STORE_COLUMN_CODEC_H_
#define TARE_COORDINATOR_STORE_COLUMN_CODEC_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {

std::string PackColumn(std::span<const int64_t> values);

// The `values_count` values that were packed. DataLoss when the bytes are not exactly that many
// values. Allocates for `values_count` values whatever the bytes say.
absl::StatusOr<std::vector<int64_t>> UnpackColumn(absl::string_view packed, size_t values_count);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_COLUMN_CODEC_H_
