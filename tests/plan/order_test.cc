// The balance that each order promises, counted for two to seven arms.

#include "coordinator/plan/order.h"

#include <map>
#include <set>
#include <utility>

#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

using Pair = std::pair<uint32_t, uint32_t>;

std::map<Pair, int> CountFollowers(const std::vector<uint32_t>& samples) {
  std::map<Pair, int> counts;
  for (size_t i = 1; i < samples.size(); ++i) ++counts[{samples[i - 1], samples[i]}];
  return counts;
}

TEST(RandomSets, HaveEveryArmOnce) {
  for (uint32_t arms = 1; arms <= 7; ++arms) {
    Random random(arms);
    const std::vector<uint32_t> samples = MakeRandomSets(arms, 25, &random);
    ASSERT_EQ(samples.size(), 25u * arms);
    for (size_t start = 0; start < samples.size(); start += arms) {
      const std::set<uint32_t> set(samples.begin() + static_cast<int>(start),
                                   samples.begin() + static_cast<int>(start + arms));
      EXPECT_EQ(set.size(), arms);
      EXPECT_LT(*set.rbegin(), arms);
    }
  }
}

TEST(RandomSets, BalanceEachBlockForPositionPrecedenceAndNeighbours) {
  for (uint32_t arms = 2; arms <= 7; ++arms) {
    const uint32_t sets = arms % 2 == 0 ? arms : 2 * arms;
    Random random(arms);
    for (int block = 0; block < 20; ++block) {
      const std::vector<uint32_t> samples = MakeRandomSets(arms, sets, &random);
      std::map<Pair, uint32_t> at_position, before, directly_before;
      for (uint32_t start = 0; start < samples.size(); start += arms) {
        for (uint32_t i = 0; i < arms; ++i) {
          ++at_position[{samples[start + i], i}];
          if (i > 0) ++directly_before[{samples[start + i - 1], samples[start + i]}];
          for (uint32_t j = i + 1; j < arms; ++j) {
            ++before[{samples[start + i], samples[start + j]}];
          }
        }
      }
      EXPECT_EQ(at_position.size(), arms * arms);
      for (const auto& [key, count] : at_position) EXPECT_EQ(count, sets / arms) << arms;
      EXPECT_EQ(before.size(), arms * (arms - 1));
      for (const auto& [key, count] : before) EXPECT_EQ(count, sets / 2) << arms;
      EXPECT_EQ(directly_before.size(), arms * (arms - 1));
      for (const auto& [key, count] : directly_before) EXPECT_EQ(count, sets / arms) << arms;
    }
  }
}

// First sets of 6,000 blocks: each of the 6 orders is expected 1,000 times, sd about 29.
TEST(RandomSets, AreEachAUniformPermutation) {
  Random random(11);
  std::map<std::vector<uint32_t>, int> counts;
  const std::vector<uint32_t> samples = MakeRandomSets(3, 36'000, &random);
  for (size_t start = 0; start < samples.size(); start += 18) {
    const auto first = samples.begin() + static_cast<int>(start);
    ++counts[std::vector<uint32_t>(first, first + 3)];  // the first set of each block
  }
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [set, count] : counts) EXPECT_NEAR(count, 1'000, 120);
}

TEST(BalancedWalk, LetsEveryArmFollowEveryArmEquallyOften) {
  for (uint32_t arms = 1; arms <= 7; ++arms) {
    for (const int64_t length : {1, 7, 50, 98, 300, 1521}) {
      Random random(arms * 1000 + static_cast<uint64_t>(length));
      std::vector<uint32_t> samples = MakeBalancedWalk(arms, length, arms - 1, &random);
      ASSERT_EQ(std::ssize(samples), length);
      samples.insert(samples.begin(), arms - 1);
      const std::map<Pair, int> counts = CountFollowers(samples);
      const int64_t least = length / (arms * arms);
      for (uint32_t from = 0; from < arms; ++from) {
        for (uint32_t to = 0; to < arms; ++to) {
          const auto found = counts.find({from, to});
          const int64_t count = found == counts.end() ? 0 : found->second;
          EXPECT_GE(count, least) << arms << " arms, " << length << " samples";
          EXPECT_LE(count, least + 1) << arms << " arms, " << length << " samples";
        }
      }
    }
  }
}

TEST(BalancedWalk, IsRandom) {
  std::set<std::vector<uint32_t>> walks;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    walks.insert(MakeBalancedWalk(3, 9, 0, &random));
  }
  EXPECT_GT(walks.size(), 50u);
}

TEST(Sets, OfFixedAndBlockedOrdersAreAsTheFileSays) {
  Random random(1);
  std::vector<uint32_t> samples;
  AppendSets(v1::ORDER_FIXED, 3, 2, &random, &samples);
  EXPECT_EQ(samples, (std::vector<uint32_t>{0, 1, 2, 0, 1, 2}));
  samples.clear();
  AppendSets(v1::ORDER_BLOCKED, 3, 2, &random, &samples);
  EXPECT_EQ(samples, (std::vector<uint32_t>{0, 0, 1, 1, 2, 2}));
}

TEST(Sets, GoOnWithABalancedWalkFromItsLastArm) {
  Random random(5);
  std::vector<uint32_t> samples;
  AppendSets(v1::ORDER_BALANCED, 2, 3, &random, &samples);
  const size_t before = samples.size();
  AppendSets(v1::ORDER_BALANCED, 2, 20, &random, &samples);
  const std::vector<uint32_t> timed(samples.begin() + static_cast<int>(before) - 1, samples.end());
  for (const auto& [pair, count] : CountFollowers(timed)) EXPECT_EQ(count, 10);
}

}  // namespace
}  // namespace tare::coordinator
