// Goal: the orders of events that real programs meet rarely. The test is the relay's loop here, so
// it says what is noticed first.

#include "proxy/connection.h"

#include <sys/epoll.h>
#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "gtest/gtest.h"
#include "proxy/profile_text.h"
#include "tests/proxy/sockets.h"

namespace tare::proxy {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;

class ConnectionTest : public testing::Test {
 protected:
  void SetUp() override {
    epoll_ = UniqueFd(epoll_create1(EPOLL_CLOEXEC));
    context_.epoll = epoll_.get();
    context_.block = context_.pool.Take(BlockPool::kLargeBytes);
    std::string server_address;
    server_listener_ = ListenOnLoopback(&server_address);
    context_.server = *Address::Parse(server_address);
  }

  void Connect(const ProfileText& text, int receive_buffer = 0) {
    std::string address;
    UniqueFd listener = ListenOnLoopback(&address);
    if (receive_buffer > 0) {
      setsockopt(listener.get(), SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof kSendBuffer);
    }
    client_ = ConnectTo(address);
    if (receive_buffer > 0) {
      setsockopt(client_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    UniqueFd accepted(accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    record_ = std::make_shared<ConnectionRecord>();
    record_->profile = *ParseProfile(text);
    connection_ = std::make_unique<Connection>(std::move(accepted), record_, kHandle, 1, &context_);
    server_ = AcceptFrom(server_listener_);
    PumpUntil([this] { return record_->dial_ns.load() >= 0; });
  }

  // The relay's loop, until `done` or for 3 s: less than a dial may take, whose timer would help
  // out.
  bool PumpUntil(const std::function<bool()>& done) {
    const int64_t give_up_ns = NowNs() + 3 * kSecondNs;
    while (!done() && NowNs() < give_up_ns) {
      epoll_event event;
      if (epoll_wait(epoll_.get(), &event, 1, 1) == 1) {
        connection_->OnEvents(static_cast<Connection::Side>(event.data.u64 & 1), event.events);
      }
      WakeDue();
    }
    return done();
  }
  void WakeDue() {
    const int64_t now_ns = NowNs();
    for (Timers* timers : {&context_.timers, &context_.watches}) {
      while (const auto entry = timers->TakeDue(now_ns)) connection_->OnWake(*entry, now_ns);
    }
  }
  bool PumpUntilClosed() {
    return PumpUntil([this] { return connection_->is_closed(); });
  }

  static constexpr uint64_t kHandle = uint64_t{1} << 32;
  static constexpr int kSendBuffer = 1 << 20;
  UniqueFd epoll_;
  RelayContext context_;
  UniqueFd server_listener_;
  UniqueFd client_;
  UniqueFd server_;
  std::shared_ptr<ConnectionRecord> record_;
  std::unique_ptr<Connection> connection_;
};

TEST_F(ConnectionTest, IsWokenForWhatIsDueAfterSomethingElseReleasedTheFirst) {
  Connect({.delay = "20ms"});
  SendAll(server_, "x");
  ASSERT_TRUE(PumpUntil([this] { return context_.timers.next_ns() != kNeverNs; }));
  // The relay is busy elsewhere until after that time, and is then told to stop.
  Clock::Real()->Wait(absl::Milliseconds(25));
  connection_->Drain();
  ASSERT_TRUE(PumpUntilClosed());
  bool was_reset = true;
  EXPECT_EQ(ReceiveAll(client_, &was_reset), "x");
  EXPECT_FALSE(was_reset);
  EXPECT_EQ(record_->traffic.to_client.bytes_undelivered.value(), 0);
}

TEST_F(ConnectionTest, ASlowClientGetsTheWholeReplyOfAServerThatThenResets) {
  Connect({}, /*receive_buffer=*/65536);
  const std::string reply(800'000, 'r');
  SendAll(server_, reply);
  shutdown(server_.get(), SHUT_WR);
  ASSERT_TRUE(PumpUntil([&] {
    return record_->traffic.to_client.bytes.value() == static_cast<int64_t>(reply.size());
  }));
  PumpUntil([this] { return context_.watches.next_ns() != kNeverNs; });  // and its end
  ResetConnection(std::move(server_));
  SendAll(client_, "thanks");
  PumpUntil([this] { return record_->traffic.client_writes.value() == 1; });
  SendAll(client_, "again");
  std::string received;
  PumpUntil([&] {
    std::string some(20000, '\0');
    const ssize_t count = recv(client_.get(), some.data(), some.size(), MSG_DONTWAIT);
    if (count > 0) received.append(some.data(), static_cast<size_t>(count));
    return count == 0 || received.size() == reply.size();
  });
  EXPECT_EQ(received.size(), reply.size());
  EXPECT_TRUE(PumpUntilClosed());
}

TEST_F(ConnectionTest, AResetThatAWriteNoticesFirstIsStillAReset) {
  Connect({});
  SendAll(server_, "part");
  ResetConnection(std::move(server_));
  SendAll(client_, "more");
  // The client's bytes are handled first, although the server's end is there as well.
  connection_->OnEvents(Connection::Side::kClient, EPOLLIN);
  EXPECT_TRUE(PumpUntilClosed());
  bool was_reset = false;
  EXPECT_EQ(ReceiveAll(client_, &was_reset), "part");
  EXPECT_TRUE(was_reset);
  EXPECT_EQ(record_->cause, "server reset");
}

}  // namespace
}  // namespace tare::proxy
