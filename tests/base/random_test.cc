// Goal: the generator gives the same numbers everywhere, so its first values are written down here.

#include "base/random.h"

#include <array>
#include <cmath>
#include <set>

#include "gtest/gtest.h"

namespace tare {
namespace {

TEST(Random, GivesTheSameNumbersEverywhere) {
  Random random(42);
  EXPECT_EQ(random.Next(), 1546998764402558742u);
  EXPECT_EQ(random.Next(), 6990951692964543102u);
  EXPECT_EQ(random.Next(), 12544586762248559009u);
}

TEST(Random, ShufflesTheSameWayEverywhere) {
  std::array<int, 8> values = {0, 1, 2, 3, 4, 5, 6, 7};
  Random random(7);
  random.Shuffle(std::span<int>(values));
  std::set<int> distinct(values.begin(), values.end());
  EXPECT_EQ(distinct.size(), 8u);
  std::array<int, 8> again = {0, 1, 2, 3, 4, 5, 6, 7};
  Random same(7);
  same.Shuffle(std::span<int>(again));
  EXPECT_EQ(values, again);
}

TEST(Random, StaysBelowItsBoundAndReachesAllValues) {
  Random random(1);
  std::array<int, 6> counts = {};
  for (int i = 0; i < 60000; ++i) ++counts.at(random.Below(6));
  for (int count : counts) EXPECT_NEAR(count, 10000, 500);  // five standard deviations
}

TEST(Random, NormalHasUnitVariance) {
  Random random(3);
  double sum = 0;
  double squares = 0;
  constexpr int kDraws = 100000;
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.Normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.016);
  EXPECT_NEAR(squares / kDraws, 1, 0.023);
}

TEST(DeriveSeed, SeparatesStreams) {
  EXPECT_NE(DeriveSeed(1, 0), DeriveSeed(1, 1));
  EXPECT_NE(DeriveSeed(1, 0), DeriveSeed(2, 0));
  EXPECT_EQ(DeriveSeed(5, 9), DeriveSeed(5, 9));
}

}  // namespace
}  // namespace tare
