#include "agent/services/proxy_evidence.h"

#include "gtest/gtest.h"

namespace tare::agent {
namespace {

constexpr size_t kRoomy = size_t{64} << 20;

// One connection a count: so many recorded values to the client.
v1::ProxyEvidence Recorded(std::initializer_list<int> counts) {
  v1::ProxyEvidence evidence;
  for (const int count : counts) {
    v1::ProxyDirection& direction =
        *evidence.add_connections()->mutable_traffic()->mutable_to_client();
    for (int i = 0; i < count; ++i) {
      direction.add_recorded_asked_ns(1'000'000 + i);
      direction.add_recorded_applied_ns(1'000'100 + i);
    }
  }
  return evidence;
}

const v1::ProxyDirection& ToClient(const v1::ProxyEvidence& evidence, int connection) {
  return evidence.connections(connection).traffic().to_client();
}

TEST(BoundEvidence, LeavesWhatFitsAsItIs) {
  v1::ProxyEvidence evidence = Recorded({10, 20});
  evidence.mutable_total()->set_turns(30);
  BoundEvidence(kRoomy, &evidence);
  EXPECT_EQ(evidence.connections_size(), 2);
  EXPECT_EQ(ToClient(evidence, 1).recorded_applied_ns_size(), 20);
  EXPECT_EQ(ToClient(evidence, 1).recorded_left_out(), 0);
  EXPECT_EQ(evidence.connections_left_out(), 0);
  EXPECT_EQ(evidence.total().turns(), 30);
}

TEST(BoundEvidence, KeepsTheFirstValuesOfEachDirectionAndCountsTheRest) {
  v1::ProxyEvidence evidence = Recorded({kRecordedValuesMax - 1, 5, 7});
  evidence.mutable_connections(2)->mutable_traffic()->mutable_to_client()->set_recorded_left_out(3);
  evidence.mutable_connections(0)->mutable_traffic()->mutable_to_server()->add_recorded_applied_ns(
      1);
  BoundEvidence(kRoomy, &evidence);
  EXPECT_EQ(ToClient(evidence, 0).recorded_applied_ns_size(), kRecordedValuesMax - 1);
  EXPECT_EQ(ToClient(evidence, 0).recorded_left_out(), 0);
  ASSERT_EQ(ToClient(evidence, 1).recorded_applied_ns_size(), 1);
  EXPECT_EQ(ToClient(evidence, 1).recorded_applied_ns(0), 1'000'100);
  EXPECT_EQ(ToClient(evidence, 1).recorded_asked_ns_size(), 1);
  EXPECT_EQ(ToClient(evidence, 1).recorded_left_out(), 4);
  EXPECT_EQ(ToClient(evidence, 2).recorded_applied_ns_size(), 0);
  EXPECT_EQ(ToClient(evidence, 2).recorded_left_out(), 3 + 7);
  EXPECT_EQ(evidence.connections(0).traffic().to_server().recorded_applied_ns_size(), 1);
}

TEST(BoundEvidence, KeepsFewerValuesWhenThereIsLessRoom) {
  v1::ProxyEvidence evidence = Recorded({kRecordedValuesMax});
  BoundEvidence(50'000, &evidence);
  EXPECT_LE(evidence.ByteSizeLong(), 50'000u);
  const v1::ProxyDirection& direction = ToClient(evidence, 0);
  EXPECT_GT(direction.recorded_applied_ns_size(), 1000);
  EXPECT_EQ(direction.recorded_applied_ns_size() + direction.recorded_left_out(),
            kRecordedValuesMax);
}

TEST(BoundEvidence, DropsTheOldestConnectionsLast) {
  v1::ProxyEvidence evidence;
  evidence.set_connections_left_out(1);
  evidence.mutable_total()->set_turns(9);
  for (int i = 0; i < 100; ++i) {
    evidence.add_connections()->set_cause(std::string(1000, 'x'));
    evidence.mutable_connections(i)->set_connection(i + 1);
  }
  BoundEvidence(10'500, &evidence);
  EXPECT_LE(evidence.ByteSizeLong(), 10'500u);
  ASSERT_GT(evidence.connections_size(), 5);
  EXPECT_EQ(evidence.connections(evidence.connections_size() - 1).connection(), 100);
  EXPECT_EQ(evidence.connections_left_out() + evidence.connections_size(), 101);
  EXPECT_EQ(evidence.total().turns(), 9);
}

}  // namespace
}  // namespace tare::agent
