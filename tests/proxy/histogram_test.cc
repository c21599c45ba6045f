// Goal: what is exact is exact, what is rounded is off by at most half a bucket, and a reader
// beside the writer always sees a distribution that makes sense.

#include "proxy/histogram.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "base/random.h"
#include "gtest/gtest.h"
#include "proxy/counter.h"

namespace tare::proxy {
namespace {

v1::Distribution Of(const std::vector<int64_t>& values) {
  Histogram histogram;
  for (const int64_t value : values) histogram.Add(value);
  return histogram.Snapshot();
}

int64_t CountInBuckets(const v1::Distribution& distribution) {
  int64_t count = 0;
  for (const v1::Bucket& bucket : distribution.buckets()) count += bucket.count();
  return count;
}

TEST(Counter, AddsAndKeepsTheLargest) {
  Counter counter;
  EXPECT_EQ(counter.value(), 0);
  counter.Add(3);
  counter.Add(-1);
  EXPECT_EQ(counter.value(), 2);
  counter.SetMax(1);
  EXPECT_EQ(counter.value(), 2);
  counter.SetMax(7);
  EXPECT_EQ(counter.value(), 7);
}

TEST(Histogram, HasNoQuantilesOfNothing) {
  const v1::Distribution distribution = Histogram().Snapshot();
  EXPECT_EQ(distribution.count(), 0);
  EXPECT_FALSE(distribution.has_minimum_ns());
  EXPECT_FALSE(distribution.has_p50_ns());
  EXPECT_FALSE(distribution.has_p99_ns());
  EXPECT_FALSE(distribution.has_maximum_ns());
  EXPECT_EQ(distribution.buckets_size(), 0);
}

TEST(Histogram, PutsEachValueIntoItsBucket) {
  struct Case {
    int64_t value;
    int64_t low;
    int64_t high;
  };
  constexpr int64_t kEnd = int64_t{1} << 36;
  constexpr int64_t kLastWidth = int64_t{1} << 29;
  for (const Case& c : std::vector<Case>{
           {0, 0, 1},
           {1, 1, 2},
           {63, 63, 64},
           {64, 64, 65},
           {127, 127, 128},
           {128, 128, 130},
           {129, 128, 130},
           {255, 254, 256},
           {256, 256, 260},
           {1'000'000, 999'424, 1'007'616},
           {kEnd - 1, kEnd - kLastWidth, kEnd},
           {kEnd, kEnd - kLastWidth, kEnd + 1},
           {5 * kEnd, kEnd - kLastWidth, 5 * kEnd + 1},
           {-5, 0, 1},
       }) {
    const v1::Distribution distribution = Of({c.value});
    ASSERT_EQ(distribution.buckets_size(), 1) << c.value;
    EXPECT_EQ(distribution.buckets(0).low_ns(), c.low) << c.value;
    EXPECT_EQ(distribution.buckets(0).high_ns(), c.high) << c.value;
    EXPECT_EQ(distribution.buckets(0).count(), 1) << c.value;
    const int64_t exact = std::max<int64_t>(c.value, 0);
    EXPECT_EQ(distribution.sum_ns(), exact);
    EXPECT_EQ(distribution.minimum_ns(), exact);
    EXPECT_EQ(distribution.p50_ns(), exact) << "the middle is clamped to what was seen";
    EXPECT_EQ(distribution.p99_ns(), exact);
    EXPECT_EQ(distribution.maximum_ns(), exact);
  }
}

TEST(Histogram, TakesQuantilesByNearestRank) {
  struct Case {
    int64_t values;  // 1, 2, … values: each in a bucket of its own
    int64_t p50;
    int64_t p99;
  };
  for (const Case& c :
       std::vector<Case>{{1, 1, 1}, {2, 1, 2}, {3, 2, 3}, {4, 2, 4}, {50, 25, 50}}) {
    std::vector<int64_t> values;
    for (int64_t i = 1; i <= c.values; ++i) values.push_back(i);
    EXPECT_EQ(Of(values).p50_ns(), c.p50) << c.values;
    EXPECT_EQ(Of(values).p99_ns(), c.p99) << c.values;
  }
  std::vector<int64_t> mostly_five(198, 5);
  mostly_five.insert(mostly_five.end(), {60, 61});
  EXPECT_EQ(Of(mostly_five).p99_ns(), 5) << "rank 198 of 200";
  mostly_five.push_back(62);
  EXPECT_EQ(Of(mostly_five).p99_ns(), 60) << "rank 199 of 201";
}

TEST(Histogram, IsOffByAtMostHalfABucketAtAnyScale) {
  Random random(1);
  std::vector<int64_t> values;
  int64_t sum = 0;
  for (int i = 0; i < 20'000; ++i) {
    values.push_back(static_cast<int64_t>(random.Next() >> (28 + random.Below(36))));
    sum += values.back();
  }
  const v1::Distribution distribution = Of(values);
  std::sort(values.begin(), values.end());
  EXPECT_EQ(distribution.count(), 20'000);
  EXPECT_EQ(CountInBuckets(distribution), 20'000);
  EXPECT_EQ(distribution.sum_ns(), sum);
  EXPECT_EQ(distribution.minimum_ns(), values.front());
  EXPECT_EQ(distribution.maximum_ns(), values.back());
  const auto expect_near = [](int64_t quantile, int64_t exact) {
    EXPECT_NEAR(static_cast<double>(quantile), static_cast<double>(exact),
                static_cast<double>(exact) / 128 + 1);
  };
  expect_near(distribution.p50_ns(), values[9'999]);
  expect_near(distribution.p99_ns(), values[19'799]);
  int64_t end = 0;
  for (const v1::Bucket& bucket : distribution.buckets()) {
    EXPECT_GE(bucket.low_ns(), end);
    EXPECT_GT(bucket.count(), 0);
    EXPECT_LE(bucket.high_ns() - bucket.low_ns(), std::max<int64_t>(1, bucket.low_ns() / 64));
    end = bucket.high_ns();
  }
}

TEST(Histogram, CanBeReadWhileItIsWritten) {
  constexpr int64_t kValues = 200'000;
  Histogram histogram;
  std::thread writer([&histogram] {
    for (int64_t i = 1; i <= kValues; ++i) histogram.Add(i * 31);
  });
  for (int64_t seen = 0; seen < kValues;) {
    const v1::Distribution distribution = histogram.Snapshot();
    ASSERT_GE(distribution.count(), seen);
    seen = distribution.count();
    if (seen == 0) continue;
    ASSERT_EQ(CountInBuckets(distribution), seen);
    ASSERT_EQ(distribution.minimum_ns(), 31);
    ASSERT_GE(distribution.maximum_ns(), distribution.p99_ns());
    ASSERT_GE(distribution.maximum_ns(), distribution.buckets().rbegin()->low_ns());
    ASSERT_GE(distribution.sum_ns(), seen * 31);
  }
  writer.join();
  EXPECT_EQ(histogram.Snapshot().sum_ns(), 31 * kValues * (kValues + 1) / 2);
}

}  // namespace
}  // namespace tare::proxy
