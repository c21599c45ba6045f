// Goal: the delay law does not depend on how bytes are cut, and nothing overtakes anything.

#include "proxy/flow.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "proxy/profile_text.h"

namespace tare::proxy {
namespace {

constexpr int64_t kMs = 1'000'000;

// A flow whose time the test makes: bytes are taken and released at the moments that it names.
class FlowTest : public testing::Test {
 protected:
  void Make(const ProfileText& text, const FlowLimits& limits = {}, uint64_t seed = 1) {
    auto profile = ParseProfile(text);
    ASSERT_TRUE(profile.ok()) << profile.status();
    profile_ = *profile;
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    sink_ = UniqueFd(ends[0]);
    receiver_ = UniqueFd(ends[1]);
    flow_ = std::make_unique<Flow>(profile_.get(), /*is_delayed=*/true, seed, limits, &pool_,
                                   &traffic_);
  }

  std::string Received() {
    std::string all;
    char bytes[65536];
    ssize_t count;
    while ((count = recv(receiver_.get(), bytes, sizeof bytes, 0)) > 0) {
      all.append(bytes, static_cast<size_t>(count));
    }
    has_ended_ = count == 0;
    return all;
  }

  void TearDown() override { flow_.reset(); }

  std::shared_ptr<const Profile> profile_;
  BlockPool pool_;
  DirectionTraffic traffic_;
  UniqueFd sink_;
  UniqueFd receiver_;
  bool has_ended_ = false;
  std::unique_ptr<Flow> flow_;
};

TEST_F(FlowTest, BytesWithoutDelayGoAtOnce) {
  Make({});
  flow_->BeginTurn();
  flow_->Take("hello", 0, sink_.get());
  EXPECT_EQ(Received(), "hello");
  EXPECT_EQ(traffic_.asked.Snapshot().count(), 1);
  EXPECT_EQ(flow_->next_due_ns(), kNeverNs);
}

TEST_F(FlowTest, BytesWaitUntilTheyAreDue) {
  Make({.delay = "5ms"});
  flow_->BeginTurn();
  flow_->Take("hello", 100 * kMs, sink_.get());
  EXPECT_EQ(flow_->next_due_ns(), 105 * kMs);
  flow_->Release(sink_.get(), 105 * kMs - 1);
  EXPECT_EQ(Received(), "");
  flow_->Release(sink_.get(), 105 * kMs);
  EXPECT_EQ(Received(), "hello");
}

TEST_F(FlowTest, ABurstInAThousandPiecesSeesOneDraw) {
  Make({.delay = "5ms", .law = "normal", .spread = "1ms"});
  flow_->BeginTurn();
  for (int i = 0; i < 1000; ++i) flow_->Take("x", 100 * kMs + i, sink_.get());
  const int64_t first_due_ns = flow_->next_due_ns();
  flow_->Release(sink_.get(), first_due_ns + 999);
  EXPECT_EQ(Received().size(), 1000u);
  const v1::Distribution asked = traffic_.asked.Snapshot();
  EXPECT_EQ(asked.count(), 1000);
  EXPECT_EQ(asked.minimum_ns(), asked.maximum_ns());
  EXPECT_EQ(first_due_ns, 100 * kMs + asked.minimum_ns());
}

TEST_F(FlowTest, ANewTurnIsANewDraw) {
  Make({.delay = "5ms", .law = "normal", .spread = "1ms"});
  for (int i = 0; i < 100; ++i) {
    flow_->BeginTurn();
    flow_->Take("x", 100 * kMs * (i + 1), sink_.get());
    flow_->Release(sink_.get(), flow_->next_due_ns());
  }
  const v1::Distribution asked = traffic_.asked.Snapshot();
  EXPECT_GT(asked.maximum_ns() - asked.minimum_ns(), 2 * kMs);
}

TEST_F(FlowTest, AShortDrawDoesNotOvertakeALongOneAndTheBiasIsCounted) {
  Make({.delay = "5ms", .law = "uniform", .spread = "5ms"});
  int64_t last_due_ns = 0;
  for (int i = 0; i < 200; ++i) {
    flow_->BeginTurn();
    flow_->Take(std::string(1, static_cast<char>('A' + i % 26)), 100 * kMs + i * 1000, sink_.get());
  }
  std::string all;
  while (flow_->next_due_ns() != kNeverNs) {
    EXPECT_GE(flow_->next_due_ns(), last_due_ns);
    last_due_ns = flow_->next_due_ns();
    flow_->Release(sink_.get(), last_due_ns);
    all += Received();
  }
  for (int i = 0; i < 200; ++i) EXPECT_EQ(all[static_cast<size_t>(i)], 'A' + i % 26);
  EXPECT_GT(traffic_.ordered.Snapshot().p50_ns(), kMs);
}

TEST_F(FlowTest, TheEndComesAfterTheLastDelayedByte) {
  Make({.delay = "5ms"});
  flow_->BeginTurn();
  flow_->Take("bye", 100 * kMs, sink_.get());
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  UniqueFd source(ends[0]);
  UniqueFd(ends[1]).Reset();
  BlockPool::Block block = pool_.Take(BlockPool::kSmallBytes);
  EXPECT_TRUE(flow_->Read(source.get(), block).empty());
  EXPECT_TRUE(flow_->has_source_ended());
  flow_->Release(sink_.get(), 105 * kMs);
  EXPECT_EQ(Received(), "bye");
  EXPECT_FALSE(has_ended_);
  flow_->Release(sink_.get(), flow_->next_due_ns());
  EXPECT_EQ(Received(), "");
  EXPECT_TRUE(has_ended_);
  EXPECT_EQ(flow_->end(), Flow::End::kClosed);
}

TEST_F(FlowTest, AnEndOfADoubtedSourceIsAReset) {
  Make({});
  flow_->BeginTurn();
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends), 0);
  UniqueFd source(ends[0]);
  UniqueFd(ends[1]).Reset();
  flow_->DoubtSource();
  BlockPool::Block block = pool_.Take(BlockPool::kSmallBytes);
  EXPECT_TRUE(flow_->Read(source.get(), block).empty());
  flow_->Release(sink_.get(), flow_->next_due_ns());
  EXPECT_EQ(flow_->end(), Flow::End::kReset);
}

TEST_F(FlowTest, ReadingStopsAtTheByteBound) {
  Make({.delay = "5ms"}, {.held_bytes_max = 1000});
  flow_->BeginTurn();
  flow_->Take(std::string(999, 'x'), 0, sink_.get());
  EXPECT_TRUE(flow_->wants_read());
  flow_->Take("y", 0, sink_.get());
  EXPECT_FALSE(flow_->wants_read());
  EXPECT_EQ(traffic_.bound_reached.value(), 1);
  flow_->Release(sink_.get(), 5 * kMs);
  EXPECT_TRUE(flow_->wants_read());
  EXPECT_EQ(traffic_.queue_bytes_max.value(), 1000);
}

TEST_F(FlowTest, LargeReadsAreHeldWithoutACopyAndInOrder) {
  Make({.delay = "5ms"});
  flow_->BeginTurn();
  BlockPool::Block block = pool_.Take(BlockPool::kLargeBytes);
  std::string sent;
  for (const size_t size : {BlockPool::kLargeBytes, size_t{100}, BlockPool::kLargeBytes / 2,
                            size_t{70'000}, size_t{3}}) {
    std::fill_n(block.bytes.get(), size, static_cast<char>('a' + sent.size() % 7));
    const absl::string_view bytes(block.bytes.get(), size);
    sent.append(bytes.data(), size);
    const char* const before = block.bytes.get();
    flow_->Take(bytes, 0, sink_.get(), &block);
    EXPECT_EQ(block.bytes.get() == before, size < BlockPool::kLargeBytes / 2) << size;
  }
  EXPECT_EQ(traffic_.queue_bytes_max.value(), static_cast<int64_t>(sent.size()));
  std::string received;
  while (received.size() < sent.size()) {
    flow_->Release(sink_.get(), 5 * kMs);
    const std::string some = Received();
    ASSERT_FALSE(some.empty());
    received += some;
  }
  EXPECT_TRUE(received == sent);
}

TEST_F(FlowTest, ASlowReceiverStopsTheReadingLongBeforeTheBound) {
  Make({});
  flow_->BeginTurn();
  int64_t taken = 0;
  const std::string bytes(100'000, 'x');
  while (flow_->wants_read() && taken < (int64_t{64} << 20)) {
    flow_->Take(bytes, 0, sink_.get());
    taken += static_cast<int64_t>(bytes.size());
  }
  EXPECT_LT(taken, int64_t{4} << 20);
  EXPECT_TRUE(flow_->wants_write());
  int64_t received = 0;
  while (received < taken) {
    received += static_cast<int64_t>(Received().size());
    flow_->Release(sink_.get(), 1);
  }
  EXPECT_EQ(received, taken);
  EXPECT_TRUE(flow_->wants_read());
}

TEST_F(FlowTest, ABrokenSinkLosesWhatIsHeldAndSaysSo) {
  Make({.delay = "5ms"});
  flow_->BeginTurn();
  flow_->Take("hello", 0, sink_.get());
  receiver_.Reset();
  flow_->Release(sink_.get(), 5 * kMs);
  EXPECT_EQ(flow_->end(), Flow::End::kBroken);
  EXPECT_EQ(traffic_.bytes_undelivered.value(), 5);
  EXPECT_FALSE(flow_->wants_read());
}

TEST_F(FlowTest, ANarrowLineSendsOnePieceAfterTheOther) {
  Make({.bytes_per_second = "1000000"});
  flow_->BeginTurn();
  flow_->Take(std::string(1000, 'x'), 100 * kMs, sink_.get());
  flow_->Take(std::string(1000, 'y'), 100 * kMs, sink_.get());
  EXPECT_EQ(flow_->next_due_ns(), 101 * kMs);
  flow_->Release(sink_.get(), 101 * kMs);
  EXPECT_EQ(Received(), std::string(1000, 'x'));
  EXPECT_EQ(flow_->next_due_ns(), 102 * kMs);
}

TEST_F(FlowTest, AQuotaEndsInSilence) {
  Make({}, {.quota_bytes = 3});
  flow_->BeginTurn();
  flow_->Take("hello", 0, sink_.get());
  EXPECT_EQ(Received(), "hel");
  EXPECT_TRUE(flow_->is_exhausted());
  EXPECT_EQ(flow_->next_due_ns(), kNeverNs);
}

TEST_F(FlowTest, DelaysAreRecordedOnRequestUpToTheBudget) {
  Make({.delay = "5ms"});
  size_t budget = 2;
  traffic_.recording = std::make_unique<DelayRecording>(&budget);
  for (int i = 0; i < 3; ++i) {
    flow_->BeginTurn();
    flow_->Take("x", i * 100 * kMs, sink_.get());
    flow_->Release(sink_.get(), flow_->next_due_ns());
  }
  v1::ProxyDirection direction;
  traffic_.recording->CopyTo(&direction);
  ASSERT_EQ(direction.recorded_asked_ns_size(), 2);
  EXPECT_EQ(direction.recorded_asked_ns(1), 5 * kMs);
  EXPECT_EQ(direction.recorded_left_out(), 1);
}

}  // namespace
}  // namespace tare::proxy
