#include "coordinator/store/column_codec.h"

#include <cstdint>
#include <iostream>
#include <limits>
#include <vector>

#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/store/store_contract.h"

namespace tare::coordinator {
namespace {

TEST(ColumnCodec, GivesBackWhatItPacked) {
  const std::vector<int64_t> columns[] = {
      {},
      {0},
      {-1, 0, 1},
      {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()},
      std::vector<int64_t>(100'000, 354'210)};
  for (const std::vector<int64_t>& column : columns) {
    EXPECT_EQ(UnpackColumn(PackColumn(column), column.size()).value(), column);
  }
}

TEST(ColumnCodec, RefusesBytesThatAreNotTheColumn) {
  const std::string packed = PackColumn(std::vector<int64_t>{1, 2, 3});
  EXPECT_EQ(FormatError(UnpackColumn(packed, 4).status()),
            "column has another length than its chunk\n  detail: 24 bytes, expected 32");
  EXPECT_EQ(FormatError(UnpackColumn(packed, 2).status()),
            "column cannot be unpacked\n  detail: Destination buffer is too small");
  EXPECT_EQ(FormatError(UnpackColumn("these bytes are not zstd", 3).status()),
            "column cannot be unpacked\n  detail: Unknown frame descriptor");
  EXPECT_EQ(UnpackColumn("", 3).status().code(), absl::StatusCode::kDataLoss);
}

// Informative, beside the bound: what a value of a typical block costs on disk.
TEST(ColumnCodec, NeedsAtMostThreeBytesALatency) {
  const v1::SampleBlock block = MakeTestBlock(3, 1500);
  const std::string packed =
      PackColumn(std::vector<int64_t>(block.value_ns().begin(), block.value_ns().end()));
  const double bytes_per_value = static_cast<double>(packed.size()) / 1500;
  std::cout << "value_ns: " << bytes_per_value << " bytes a value\n";
  EXPECT_LE(bytes_per_value, 3.0);
}

}  // namespace
}  // namespace tare::coordinator
