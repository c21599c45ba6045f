#include "base/crc32c.h"

#include <string>

#include "gtest/gtest.h"

namespace tare {
namespace {

// The values of RFC 3720, appendix B.4, and the check value of the CRC catalogue.
TEST(Crc32c, GivesThePublishedValues) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62A8AB43u);
}

}  // namespace
}  // namespace tare
