#include "agent/machine/cgroup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine/fixture_root.h"

namespace tare::agent {
namespace {

TEST(Cgroup, FindsVersion1WhereTheContainerSeesItsOwnGroupAtTheMountPoint) {
  const FixtureRoot root("container-v1");
  const auto files = FindThrottleFiles(root.path());
  EXPECT_THAT(files, testing::ElementsAre(root.path() + "/sys/fs/cgroup/cpu,cpuacct/cpu.stat"));
  EXPECT_EQ(ReadThrottledNs(files), 5'000'000'000);
}

TEST(Cgroup, AddsUpAllGroupsOfVersion2) {
  const FixtureRoot root("container-v2");
  const auto files = FindThrottleFiles(root.path());
  EXPECT_THAT(files,
              testing::ElementsAre(root.path() + "/sys/fs/cgroup/kubepods/pod7/agent/cpu.stat",
                                   root.path() + "/sys/fs/cgroup/kubepods/pod7/cpu.stat",
                                   root.path() + "/sys/fs/cgroup/kubepods/cpu.stat",
                                   root.path() + "/sys/fs/cgroup/cpu.stat"));
  EXPECT_EQ(ReadThrottledNs(files), 3'000'000);
}

TEST(Cgroup, IsAbsentWhereNothingIsMounted) {
  const FixtureRoot root("bare");
  EXPECT_EQ(ReadThrottledNs(FindThrottleFiles(root.path())), std::nullopt);
}

}  // namespace
}  // namespace tare::agent
