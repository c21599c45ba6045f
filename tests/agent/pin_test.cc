#include "agent/pin.h"

#include "base/status.h"
#include "gtest/gtest.h"

namespace tare::agent {
namespace {

TEST(Pin, NoneLeavesEverythingFree) {
  for (const std::vector<std::string>& pin : {std::vector<std::string>{}, {"none"}}) {
    absl::StatusOr<PinnedCpus> cpus = ResolvePin(pin, {0, 1});
    ASSERT_TRUE(cpus.ok());
    EXPECT_TRUE(cpus->workload.empty());
    EXPECT_TRUE(cpus->services.empty());
  }
}

TEST(Pin, SameCoreTakesTheLastForBoth) {
  absl::StatusOr<PinnedCpus> cpus = ResolvePin({"same-core"}, {0, 1, 3});
  ASSERT_TRUE(cpus.ok());
  EXPECT_EQ(cpus->workload, (std::vector<int>{3}));
  EXPECT_EQ(cpus->services, (std::vector<int>{3}));
}

TEST(Pin, OtherCoreSharesNone) {
  absl::StatusOr<PinnedCpus> cpus = ResolvePin({"other-core"}, {0, 1, 3});
  ASSERT_TRUE(cpus.ok());
  EXPECT_EQ(cpus->workload, (std::vector<int>{3}));
  EXPECT_EQ(cpus->services, (std::vector<int>{0, 1}));
  EXPECT_TRUE(absl::IsFailedPrecondition(ResolvePin({"other-core"}, {0}).status()));
}

TEST(Pin, AListIsForTheWorkloadAndTheRestForServices) {
  absl::StatusOr<PinnedCpus> cpus = ResolvePin({"1", "3"}, {0, 1, 3});
  ASSERT_TRUE(cpus.ok());
  EXPECT_EQ(cpus->workload, (std::vector<int>{1, 3}));
  EXPECT_EQ(cpus->services, (std::vector<int>{0}));
}

TEST(Pin, ACpuThatIsNotThereIsNamed) {
  EXPECT_EQ(FormatError(ResolvePin({"7"}, {0, 1}).status()),
            "pin names CPU '7', which is not available\n  detail: available: 0, 1");
}

}  // namespace
}  // namespace tare::agent
