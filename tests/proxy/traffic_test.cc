// Goal: the sum over connections is what one connection would have counted.

#include "proxy/traffic.h"

#include "base/random.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"

namespace tare::proxy {
namespace {

using google::protobuf::util::MessageDifferencer;

TEST(AddTraffic, GivesWhatOneConnectionWouldHaveCounted) {
  Traffic parts[3];
  Traffic all;
  Random random(1);
  for (int i = 0; i < 5000; ++i) {
    Traffic& part = parts[random.Below(3)];
    const auto asked_ns = static_cast<int64_t>(random.Below(2'000'000));
    const auto late_ns = static_cast<int64_t>(random.Below(500));
    for (Traffic* traffic : {&part, &all}) {
      traffic->turns.Add(1);
      traffic->client_writes.Add(2);
      traffic->to_server.bytes.Add(64);
      traffic->to_client.AddRelease(asked_ns, 1000, 1000 + asked_ns, 1000 + asked_ns + late_ns);
    }
  }
  v1::ProxyTraffic sum;
  for (const Traffic& part : parts) AddTraffic(part.Snapshot(), &sum);
  EXPECT_TRUE(MessageDifferencer::Equivalent(sum, all.Snapshot()))
      << sum.DebugString() << all.Snapshot().DebugString();
}

TEST(AddTraffic, KeepsTheLastBucketAsWideAsItsValues) {
  constexpr int64_t kLongNs = int64_t{1} << 40;
  v1::ProxyTraffic sum;
  for (const int64_t asked_ns : {kLongNs, kLongNs / 2}) {
    Traffic part;
    part.to_client.AddRelease(asked_ns, 0, asked_ns, asked_ns);
    AddTraffic(part.Snapshot(), &sum);
  }
  ASSERT_EQ(sum.to_client().asked().buckets_size(), 1);
  EXPECT_EQ(sum.to_client().asked().buckets(0).high_ns(), kLongNs + 1);
}

TEST(AddTraffic, AnEmptyPartChangesNothing) {
  Traffic some;
  some.to_client.AddRelease(5, 0, 5, 9);
  v1::ProxyTraffic sum;
  AddTraffic(Traffic().Snapshot(), &sum);
  AddTraffic(some.Snapshot(), &sum);
  AddTraffic(Traffic().Snapshot(), &sum);
  EXPECT_EQ(sum.to_client().late().minimum_ns(), 4);
  EXPECT_EQ(sum.to_client().late().p50_ns(), 4);
  EXPECT_FALSE(sum.to_server().late().has_minimum_ns());
}

}  // namespace
}  // namespace tare::proxy
