#include "agent/machine/foreign_share.h"

#include <gtest/gtest.h>

namespace tare::agent {
namespace {

constexpr int64_t kMs = 1'000'000;

TEST(ForeignShare, IsWhatIsNeitherIdleNorStolenNorOurs) {
  // 1 s on 2 CPUs = 2,000 ms: 900 idle, 100 stolen, 600 ours, so 400 others'.
  const auto share =
      ForeignCpuShare({.busy = 0, .idle = 90, .steal = 10}, 2, absl::Seconds(1), 600 * kMs);
  ASSERT_TRUE(share.has_value());
  EXPECT_NEAR(*share, 0.2, 1e-12);
}

TEST(ForeignShare, IsNeverNegative) {
  EXPECT_EQ(ForeignCpuShare({.busy = 0, .idle = 150, .steal = 0}, 2, absl::Seconds(1), 600 * kMs),
            0.0);
}

TEST(ForeignShare, IsAbsentWhereItWouldBeAGuess) {
  const CpuTicks ticks = {.busy = 0, .idle = 20, .steal = 0};
  EXPECT_EQ(ForeignCpuShare(ticks, 2, absl::Milliseconds(199), 0), std::nullopt);
  EXPECT_EQ(ForeignCpuShare(ticks, 2, absl::Milliseconds(200), std::nullopt), std::nullopt);
  EXPECT_EQ(ForeignCpuShare(ticks, 0, absl::Milliseconds(200), 0), std::nullopt);
  EXPECT_NE(ForeignCpuShare(ticks, 2, absl::Milliseconds(200), 0), std::nullopt);
}

}  // namespace
}  // namespace tare::agent
