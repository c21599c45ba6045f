#include "agent/machine/observer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/machine/fixture_root.h"

namespace tare::agent {
namespace {

class BlockObserverTest : public testing::Test {
 protected:
  BlockObserverTest() {
    auto observer = MakeBlockObserver(root_.path(), {900});
    observer->Begin({{"workload", 910}, {"db", 920}, {"db", 921}});
    root_.Advance();
    evidence_ = observer->End();
  }

  FixtureRoot root_{"block"};
  v1::BlockEvidence evidence_;
};

TEST_F(BlockObserverTest, SaysWhereEachProcessWasAndWhatItUsed) {
  ASSERT_EQ(evidence_.placements_size(), 3);
  const v1::Placement& workload = evidence_.placements(0);
  EXPECT_EQ(workload.process(), "workload");
  EXPECT_EQ(workload.pid(), 910);
  EXPECT_EQ(workload.cpu_first(), 0);
  EXPECT_EQ(workload.cpu_last(), 1);
  EXPECT_EQ(workload.migrations(), 2);
  EXPECT_EQ(workload.switches_voluntary(), 11);
  EXPECT_EQ(workload.switches_involuntary(), 3);
  EXPECT_EQ(workload.faults_minor(), 7);
  EXPECT_EQ(workload.faults_major(), 0);
  EXPECT_EQ(workload.cpu_ns(), 109'500'000);
  EXPECT_EQ(evidence_.placements(1).process(), "db");
  EXPECT_EQ(evidence_.placements(1).switches_voluntary(), 300);
}

TEST_F(BlockObserverTest, DoesNotMistakeAnotherProcessWithTheSamePidForTheOneThatEnded) {
  const v1::Placement& ended = evidence_.placements(2);
  EXPECT_EQ(ended.cpu_first(), 1);
  EXPECT_FALSE(ended.has_cpu_last());
  EXPECT_FALSE(ended.has_migrations());
  EXPECT_FALSE(ended.has_cpu_ns());
}

TEST_F(BlockObserverTest, SaysWhatTheMachineDid) {
  EXPECT_EQ(evidence_.steal_ns(), 30'000'000);
  EXPECT_EQ(evidence_.throttled_ns(), 250'000);
  EXPECT_EQ(evidence_.pressure_cpu_ns(), 2'500'000);
  EXPECT_TRUE(evidence_.has_pressure_io_ns());
  EXPECT_EQ(evidence_.pressure_io_ns(), 0);
  EXPECT_EQ(evidence_.pressure_memory_ns(), 7'000);
  EXPECT_GT(evidence_.duration_ns(), 0);
}

TEST(BlockObserver, LeavesAbsentWhatTheMachineDoesNotSay) {
  const FixtureRoot root("bare");
  auto observer = MakeBlockObserver(root.path(), {});
  observer->Begin({{"workload", 910}});
  const v1::BlockEvidence evidence = observer->End();
  EXPECT_EQ(evidence.placements(0).pid(), 910);
  EXPECT_FALSE(evidence.placements(0).has_cpu_first());
  EXPECT_FALSE(evidence.has_foreign_cpu_share());
  EXPECT_FALSE(evidence.has_throttled_ns());
  EXPECT_FALSE(evidence.has_pressure_cpu_ns());
  EXPECT_TRUE(evidence.has_steal_ns());
}

TEST(BlockObserver, WatchesThisProcessOnThisMachine) {
  auto observer = MakeBlockObserver("/", {});
  observer->Begin({{"workload", getpid()}});
  const v1::BlockEvidence evidence = observer->End();
  const v1::Placement& placement = evidence.placements(0);
  EXPECT_TRUE(placement.has_cpu_first());
  EXPECT_TRUE(placement.has_cpu_last());
  EXPECT_TRUE(placement.has_switches_voluntary());
  EXPECT_TRUE(placement.has_cpu_ns());
}

}  // namespace
}  // namespace tare::agent
