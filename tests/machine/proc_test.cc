#include "agent/machine/proc.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "agent/machine/counters.h"
#include "tests/machine/fixture_root.h"

namespace tare::agent {
namespace {

constexpr char kTail[] =
    ") S 1 2 2 0 -1 4194304 11 22 33 44 5 6 7 8 20 0 1 0 999 1000 100 18446744073709551615 1 1 0 0 "
    "0 0 0 0 0 0 0 0 17 3 0 0";

TEST(Proc, ReadsAStatLineWhateverTheProcessIsCalled) {
  for (const std::string name : {"sh", "a b", "x) S (y", "", "()"}) {
    const auto stat = ParseProcessStat("4711 (" + name + kTail);
    ASSERT_TRUE(stat.has_value()) << name;
    EXPECT_EQ(stat->pid, 4711);
    EXPECT_EQ(stat->name, name);
    EXPECT_EQ(stat->faults_minor, 11);
    EXPECT_EQ(stat->faults_major, 33);
    EXPECT_EQ(stat->cpu_ticks, 11);
    EXPECT_EQ(stat->children_cpu_ticks, 15);
    EXPECT_EQ(stat->start_ticks, 999);
    EXPECT_EQ(stat->cpu, 3);
  }
}

TEST(Proc, RefusesWhatIsNoStatLine) {
  for (const char* line : {"", "4711", "4711 (sh", "4711 (sh) S 1 2", ")(", "x (sh) S"}) {
    EXPECT_FALSE(ParseProcessStat(line).has_value()) << line;
  }
  EXPECT_FALSE(ParseProcessStat(std::string("x (sh") + kTail).has_value());
}

TEST(Proc, SumsOverThreads) {
  const FixtureRoot root("block");
  const ThreadTotals totals = ReadThreadTotals(root.path(), 910);
  EXPECT_EQ(totals.cpu_ns, 206'000'000);
  EXPECT_EQ(totals.migrations, 4);
  EXPECT_EQ(totals.switches_voluntary, 52);
  EXPECT_EQ(totals.switches_involuntary, 6);
}

TEST(Proc, LeavesAbsentWhatIsNotThere) {
  const FixtureRoot root("block");
  const ThreadTotals totals = ReadThreadTotals(root.path(), 900);
  EXPECT_EQ(totals.cpu_ns, std::nullopt);
  EXPECT_EQ(totals.migrations, std::nullopt);
  EXPECT_FALSE(ReadProcessStat(root.path(), 12345).has_value());
}

TEST(Proc, TakesTheGreaterOfTwoFiguresThatAreNeverTooHigh) {
  ProcessStat stat;
  stat.cpu_ticks = 20;
  ThreadTotals threads;
  EXPECT_EQ(ProcessCpuNs(stat, threads), 200'000'000);
  threads.cpu_ns = 206'000'000;
  EXPECT_EQ(ProcessCpuNs(stat, threads), 206'000'000);
  threads.cpu_ns = 90'000'000;  // a thread has ended
  EXPECT_EQ(ProcessCpuNs(stat, threads), 200'000'000);
}

TEST(Proc, FindsDescendantsOnce) {
  const FixtureRoot root("quiet-server");
  EXPECT_THAT(ReadProcessTrees(root.path(), {901, 900, 555}),
              testing::Optional(testing::ElementsAre(900, 901)));
}

TEST(Proc, DoesNotGuessChildrenThatTheKernelDoesNotList) {
  FixtureRoot root("block");
  EXPECT_THAT(ReadProcessTrees(root.path(), {920}), testing::Optional(testing::ElementsAre(920)));
  std::filesystem::remove(root.path() + "/proc/920/task/920/children");
  EXPECT_EQ(ReadProcessTrees(root.path(), {920}), std::nullopt);
  EXPECT_THAT(ReadProcessTrees(root.path(), {555}), testing::Optional(testing::IsEmpty()));
}

TEST(Counters, ReadTheCpuLines) {
  const auto times = ParseCpuTimes(
      "cpu  10 2 5 100 50 1 2 8 3 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n"
      "cpu7 2 0 0 9 0 0 0 0 0 0\nintr 5\n");
  ASSERT_TRUE(times.has_value());
  EXPECT_EQ(times->all.busy, 20);
  EXPECT_EQ(times->all.idle, 150);
  EXPECT_EQ(times->all.steal, 8);
  EXPECT_EQ(times->cpus.size(), 2u);
  EXPECT_EQ(times->cpus.at(7).idle, 9);
}

TEST(Counters, RefuseOtherText) {
  for (const char* text :
       {"", "intr 5\n", "cpu 1 2\n", "cpu a b c d e f g h i j\n", "cpu  1 1 1 1 1 1 1 1 0 0\n"}) {
    EXPECT_FALSE(ParseCpuTimes(text).has_value()) << text;
  }
  EXPECT_EQ(ParsePressureNs("full avg10=0.00 total=5\n"), std::nullopt);
  EXPECT_EQ(ParsePressureNs("some avg10=0.00\n"), std::nullopt);
  EXPECT_EQ(ParsePressureNs("some avg10=0.00 total=5\n"), 5'000);
}

}  // namespace
}  // namespace tare::agent
