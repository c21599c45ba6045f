// Goal: leases, epochs and their loss, on a fake clock and without gRPC.

#include "coordinator/dispatch/session_hub.h"

#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

class RecordingStream : public AgentStream {
 public:
  void Push(v1::CoordinatorMessage message) override { pushed.push_back(std::move(message)); }
  void Close(const absl::Status& status) override { closed.push_back(status); }
  std::vector<v1::CoordinatorMessage> pushed;
  std::vector<absl::Status> closed;
};

v1::Register MakeRegister(const std::string& id, int64_t incarnation) {
  v1::Register request;
  request.set_agent_id(id);
  request.set_incarnation(incarnation);
  request.set_protocol_min(kSessionProtocol);
  request.set_protocol_max(kSessionProtocol);
  return request;
}

class SessionHubTest : public testing::Test {
 protected:
  FakeClock clock_;
  SessionHub hub_{absl::Seconds(10), &clock_};
  std::shared_ptr<RecordingStream> stream_ = std::make_shared<RecordingStream>();
};

TEST_F(SessionHubTest, GivesALeaseAndSaysSo) {
  absl::StatusOr<v1::Lease> lease = hub_.Register(MakeRegister("lab-1", 7), stream_);
  ASSERT_TRUE(lease.ok());
  EXPECT_EQ(lease->protocol(), kSessionProtocol);
  EXPECT_EQ(lease->ttl_ns(), 10'000'000'000);
  std::optional<SessionEvent> event = hub_.NextEvent(absl::ZeroDuration());
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->kind, SessionEvent::Kind::kRegistered);
  EXPECT_EQ(event->agent, "lab-1");
  EXPECT_EQ(event->epoch, lease->epoch());
}

TEST_F(SessionHubTest, RefusesWhatItCannotServe) {
  v1::Register newer = MakeRegister("lab-1", 7);
  newer.set_protocol_min(kSessionProtocol + 1);
  newer.set_protocol_max(kSessionProtocol + 3);
  absl::Status status = hub_.Register(newer, stream_).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(FormatError(status),
            "agent 'lab-1' speaks session protocol 2 to 4, this coordinator speaks 1\n"
            "  try: install the same tare on both machines");
  EXPECT_TRUE(absl::IsInvalidArgument(hub_.Register(MakeRegister("", 7), stream_).status()));
}

TEST_F(SessionHubTest, TwoAgentsWithOneNameCannotBothMeasure) {
  ASSERT_TRUE(hub_.Register(MakeRegister("lab-1", 7), stream_).ok());
  auto other = std::make_shared<RecordingStream>();
  EXPECT_TRUE(absl::IsAlreadyExists(hub_.Register(MakeRegister("lab-1", 8), other).status()));
  EXPECT_TRUE(stream_->closed.empty());
}

TEST_F(SessionHubTest, TheSameAgentAgainGetsANewEpochAndItsOldStreamIsClosed) {
  absl::StatusOr<v1::Lease> first = hub_.Register(MakeRegister("lab-1", 7), stream_);
  auto again = std::make_shared<RecordingStream>();
  absl::StatusOr<v1::Lease> second = hub_.Register(MakeRegister("lab-1", 7), again);
  ASSERT_TRUE(second.ok());
  EXPECT_GT(second->epoch(), first->epoch());
  EXPECT_EQ(stream_->closed.size(), 1u);
  // What the old stream still says, and its end, no longer count.
  while (hub_.NextEvent(absl::ZeroDuration()).has_value()) {
  }
  v1::AgentMessage late;
  late.mutable_finished();
  hub_.Receive("lab-1", first->epoch(), late);
  hub_.StreamEnded("lab-1", first->epoch());
  EXPECT_FALSE(hub_.NextEvent(absl::ZeroDuration()).has_value());
  EXPECT_TRUE(hub_.Send("lab-1", v1::CoordinatorMessage()).ok());
}

TEST_F(SessionHubTest, ASilentAgentLosesItsLeaseAndAHeartbeatKeepsIt) {
  absl::StatusOr<v1::Lease> lease = hub_.Register(MakeRegister("lab-1", 7), stream_);
  ASSERT_TRUE(lease.ok());
  hub_.NextEvent(absl::ZeroDuration());
  clock_.Wait(absl::Seconds(9));
  v1::AgentMessage beat;
  beat.mutable_heartbeat()->set_epoch(lease->epoch());
  hub_.Receive("lab-1", lease->epoch(), beat);
  clock_.Wait(absl::Seconds(9));
  EXPECT_FALSE(hub_.NextEvent(absl::ZeroDuration()).has_value());
  clock_.Wait(absl::Seconds(2));
  std::optional<SessionEvent> event = hub_.NextEvent(absl::ZeroDuration());
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->kind, SessionEvent::Kind::kLost);
  EXPECT_EQ(stream_->closed.size(), 1u);
  EXPECT_TRUE(absl::IsNotFound(hub_.Send("lab-1", v1::CoordinatorMessage())));
}

TEST_F(SessionHubTest, AnEndedStreamIsLostOnce) {
  absl::StatusOr<v1::Lease> lease = hub_.Register(MakeRegister("lab-1", 7), stream_);
  hub_.NextEvent(absl::ZeroDuration());
  hub_.StreamEnded("lab-1", lease->epoch());
  hub_.StreamEnded("lab-1", lease->epoch());
  EXPECT_EQ(hub_.NextEvent(absl::ZeroDuration())->kind, SessionEvent::Kind::kLost);
  EXPECT_FALSE(hub_.NextEvent(absl::ZeroDuration()).has_value());
}

TEST_F(SessionHubTest, AnInterruptionIsSeenAtOnce) {
  SessionHub hub(absl::Seconds(10), Clock::Real());
  hub.Interrupt();
  std::optional<SessionEvent> event = hub.NextEvent(absl::Seconds(30));
  ASSERT_TRUE(event.has_value());
  EXPECT_EQ(event->kind, SessionEvent::Kind::kInterrupted);
}

}  // namespace
}  // namespace tare::coordinator
