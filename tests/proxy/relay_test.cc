// Goal: what goes in on one side comes out on the other, whole, in order and not too early, however
// the peers behave.

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/proxy/proxy_program.h"
#include "tests/proxy/sockets.h"

namespace tare {
namespace {

using testing::HasSubstr;

constexpr int64_t kMs = 1'000'000;

std::string RandomBytes(size_t count, uint64_t seed) {
  Random random(seed);
  std::string bytes(count, '\0');
  for (size_t i = 0; i + sizeof(uint64_t) <= count; i += sizeof(uint64_t)) {
    const uint64_t word = random.Next();
    std::memcpy(bytes.data() + i, &word, sizeof word);
  }
  return bytes;
}

// A client and a server with the real program between them.
class Relay : public testing::Test {
 protected:
  void SetUp() override { listener_ = ListenOnLoopback(&server_address_); }

  void Start(std::vector<std::string> arguments) {
    arguments.push_back("--to=" + server_address_);
    proxy_ = std::make_unique<ProxyProgram>(std::move(arguments));
    ASSERT_NE(proxy_->address(), "") << proxy_->Errors();
  }
  void Connect() {
    client_ = ConnectTo(proxy_->address());
    ASSERT_TRUE(client_.is_open());
    server_ = AcceptFrom(listener_);
  }
  nlohmann::json StopAndRead() {
    EXPECT_EQ(proxy_->Stop(), 0) << proxy_->Errors();
    return proxy_->Evidence();
  }

  std::string server_address_;
  UniqueFd listener_;
  std::unique_ptr<ProxyProgram> proxy_;
  UniqueFd client_;
  UniqueFd server_;
};

TEST_F(Relay, CountsTurnsAndWrites) {
  Start({});
  Connect();
  for (int i = 0; i < 5; ++i) {
    SendAll(client_, "ping");
    EXPECT_EQ(Receive(server_, 4), "ping");
    SendAll(server_, "pong!");
    EXPECT_EQ(Receive(client_, 5), "pong!");
  }
  client_.Reset();
  EXPECT_EQ(ReceiveAll(server_), "");
  server_.Reset();
  const nlohmann::json evidence = StopAndRead();
  EXPECT_EQ(evidence["total"]["turns"], 5);
  EXPECT_EQ(evidence["total"]["client_writes"], 5);
  EXPECT_EQ(evidence["total"]["to_server"]["bytes"], 20);
  EXPECT_EQ(evidence["total"]["to_client"]["bytes"], 25);
  EXPECT_EQ(evidence["connections"][0]["cause"], "client closed");
  EXPECT_TRUE(evidence["connections"][0]["dial_ns"].is_number());
  EXPECT_TRUE(evidence["total"]["postgres"].is_null());
}

TEST_F(Relay, NothingIsHandedOnBeforeItIsDue) {
  Start({"--delay=20ms", "--direction=both", "--record=full"});
  Connect();
  for (int i = 0; i < 5; ++i) {
    SendAll(client_, "ping");
    EXPECT_EQ(Receive(server_, 4), "ping");
    SendAll(server_, "pong");
    EXPECT_EQ(Receive(client_, 4), "pong");
  }
  client_.Reset();
  ReceiveAll(server_);
  server_.Reset();
  const nlohmann::json evidence = StopAndRead();
  for (const char* direction : {"to_server", "to_client"}) {
    const nlohmann::json& total = evidence["total"][direction];
    EXPECT_EQ(total["asked"]["count"], 5);
    EXPECT_EQ(total["asked"]["minimum_ns"], 20 * kMs);
    EXPECT_EQ(total["asked"]["maximum_ns"], 20 * kMs);
    const nlohmann::json& full = evidence["connections"][0]["traffic"][direction];
    ASSERT_GE(full["recorded_applied_ns"].size(), 5u);
    for (const int64_t applied_ns : full["recorded_applied_ns"]) EXPECT_GE(applied_ns, 20 * kMs);
  }
}

TEST_F(Relay, ARequestFollowedByHalfCloseGetsItsWholeReply) {
  Start({"--delay=5ms", "--direction=both"});
  Connect();
  SendAll(client_, "GET everything");
  shutdown(client_.get(), SHUT_WR);
  EXPECT_EQ(ReceiveAll(server_), "GET everything");
  const std::string reply = RandomBytes(3 << 20, 1);
  std::thread sender([&] {
    SendAll(server_, reply);
    server_.Reset();
  });
  bool was_reset = true;
  const std::string received = ReceiveAll(client_, &was_reset);
  sender.join();
  EXPECT_TRUE(received == reply);
  EXPECT_FALSE(was_reset);
}

TEST_F(Relay, AResetComesAfterTheBytesBeforeIt) {
  Start({"--delay=5ms", "--direction=both"});
  Connect();
  SendAll(client_, "last words");
  ResetConnection(std::move(client_));
  bool was_reset = false;
  EXPECT_EQ(ReceiveAll(server_, &was_reset), "last words");
  EXPECT_TRUE(was_reset);
  const nlohmann::json evidence = StopAndRead();
  EXPECT_EQ(evidence["connections"][0]["cause"], "client reset");
}

TEST_F(Relay, AServersResetReachesTheClient) {
  Start({});
  Connect();
  SendAll(client_, "hello");
  EXPECT_EQ(Receive(server_, 5), "hello");
  SendAll(server_, "no");
  ResetConnection(std::move(server_));
  bool was_reset = false;
  EXPECT_EQ(ReceiveAll(client_, &was_reset), "no");
  EXPECT_TRUE(was_reset);
}

TEST_F(Relay, MovesEveryByteInBothDirectionsAtOnce) {
  for (const char* delay : {"0", "3ms"}) {
    Start({absl::StrCat("--delay=", delay), "--direction=both"});
    Connect();
    const std::string up = RandomBytes(6 << 20, 2);
    const std::string down = RandomBytes(6 << 20, 3);
    std::string got_up;
    std::string got_down;
    std::thread threads[] = {std::thread([&] {
                               SendAll(client_, up);
                               shutdown(client_.get(), SHUT_WR);
                             }),
                             std::thread([&] {
                               SendAll(server_, down);
                               shutdown(server_.get(), SHUT_WR);
                             }),
                             std::thread([&] { got_up = ReceiveAll(server_); }),
                             std::thread([&] { got_down = ReceiveAll(client_); })};
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(got_up == up);
    EXPECT_TRUE(got_down == down);
    const nlohmann::json evidence = StopAndRead();
    EXPECT_EQ(evidence["total"]["to_server"]["bytes"], up.size());
    EXPECT_EQ(evidence["total"]["to_client"]["bytes_undelivered"], 0);
  }
}

TEST_F(Relay, ASlowReaderHoldsUpItsSenderAndNotMemory) {
  Start({"--delay=1ms", "--direction=both", "--held-bytes=1MiB"});
  Connect();
  const std::string bytes = RandomBytes(24 << 20, 4);
  std::thread sender([&] {
    SendAll(server_, bytes);
    server_.Reset();
  });
  std::string received;
  Random random(5);
  while (received.size() < bytes.size()) {
    const std::string some = Receive(client_, 1 + random.Below(4 << 20));
    if (some.empty()) break;
    received += some;
  }
  sender.join();
  EXPECT_TRUE(received == bytes);
  client_.Reset();
  const nlohmann::json to_client = StopAndRead()["total"]["to_client"];
  EXPECT_GT(to_client["bound_reached"], 0);
  EXPECT_LE(to_client["queue_bytes_max"], (1 << 20) + (128 << 10));
}

TEST_F(Relay, AnAbsentServerIsARefusalToThatClientAlone) {
  listener_.Reset();
  Start({});
  for (int i = 0; i < 2; ++i) {
    bool was_reset = false;
    EXPECT_EQ(ReceiveAll(ConnectTo(proxy_->address()), &was_reset), "");
    EXPECT_TRUE(was_reset);
  }
  const nlohmann::json evidence = StopAndRead();
  EXPECT_EQ(evidence["connections_failed"], 2);
  EXPECT_EQ(evidence["connections"][0]["cause"], "server not reached: Connection refused");
}

TEST_F(Relay, RelaysBetweenUnixSocketsAndTcp) {
  TemporaryDirectory directory;
  Start({"--listen=unix:" + directory.Path("in"), "--delay=1ms"});
  Connect();
  SendAll(client_, "over");
  EXPECT_EQ(Receive(server_, 4), "over");
  // And a second one the other way round.
  ProxyProgram back({"--to=unix:" + directory.Path("in")});
  UniqueFd client = ConnectTo(back.address());
  UniqueFd server = AcceptFrom(listener_);
  SendAll(client, "and out");
  EXPECT_EQ(Receive(server, 7), "and out");
  EXPECT_EQ(StopAndRead()["connections"][0]["client"], "unix");
  EXPECT_NE(access(directory.Path("in").c_str(), F_OK), 0);
}

TEST_F(Relay, AHalfClosedConnectionThatIsSilentIsEnded) {
  Start({"--half-close-timeout=100ms"});
  Connect();
  shutdown(client_.get(), SHUT_WR);
  bool was_reset = false;
  ReceiveAll(client_, &was_reset);
  EXPECT_TRUE(was_reset);
  EXPECT_EQ(StopAndRead()["connections"][0]["cause"], "half closed and silent for 100ms");
}

TEST_F(Relay, AClientThatSaysNothingIsLeftInPeace) {
  Start({"--half-close-timeout=50ms", "--dial-timeout=50ms"});
  Connect();
  UniqueFd other = ConnectTo(proxy_->address());
  UniqueFd other_server = AcceptFrom(listener_);
  for (int i = 0; i < 200; ++i) {
    SendAll(other, "x");
    ASSERT_EQ(Receive(other_server, 1), "x");
  }
  Clock::Real()->Wait(absl::Milliseconds(100));
  SendAll(client_, "still here");
  EXPECT_EQ(Receive(server_, 10), "still here");
}

TEST_F(Relay, HoldsThousandsOfIdleConnections) {
  rlimit limit = {};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  Start({});
  constexpr int kConnections = 1500;
  std::vector<UniqueFd> clients;
  std::vector<UniqueFd> servers;
  for (int i = 0; i < kConnections; ++i) {
    clients.push_back(ConnectTo(proxy_->address()));
    ASSERT_TRUE(clients.back().is_open()) << i;
    servers.push_back(AcceptFrom(listener_));
  }
  SendAll(clients[0], "a");
  SendAll(clients[kConnections - 1], "b");
  EXPECT_EQ(Receive(servers[0], 1), "a");
  EXPECT_EQ(Receive(servers[kConnections - 1], 1), "b");
}

TEST_F(Relay, ConnectsAndDropsLeaveNothingBehind) {
  const std::string control = "unix-abstract:tare-test-" + std::to_string(getpid());
  Start({"--control=" + control});
  std::thread server([this] {
    for (int i = 0; i < 10'000; ++i) AcceptFrom(listener_).Reset();
  });
  for (int i = 0; i < 10'000; ++i) ConnectTo(proxy_->address()).Reset();
  server.join();
  nlohmann::json evidence;
  for (int i = 0; i < 500; ++i) {
    evidence = AskControl(control, R"({"evidence":{}})")["evidence"];
    if (evidence["connections_open"] == 0) break;
    Clock::Real()->Wait(absl::Milliseconds(10));
  }
  EXPECT_EQ(evidence["connections_open"], 0);
  EXPECT_EQ(evidence["connections_accepted"], 10'000);
  EXPECT_LE(evidence["connections"].size(), 256u);
  EXPECT_EQ(evidence["connections"].size() + evidence["connections_left_out"].get<size_t>(),
            10'000u);
}

TEST_F(Relay, AKilledProxyEndsBothSides) {
  Start({"--delay=1ms"});
  Connect();
  SendAll(client_, "x");
  EXPECT_EQ(Receive(server_, 1), "x");
  kill(proxy_->pid(), SIGKILL);
  EXPECT_EQ(proxy_->Wait(), 128 + SIGKILL);
  EXPECT_EQ(ReceiveAll(client_), "");
  EXPECT_EQ(ReceiveAll(server_), "");
}

TEST_F(Relay, SigtermDeliversWhatIsHeldAndTakesNoMore) {
  Start({"--delay=300ms", "--direction=both"});
  Connect();
  SendAll(client_, "held");
  // Once the first byte back is through, the relay has read all of it.
  const std::string address = proxy_->address();
  Clock::Real()->Wait(absl::Milliseconds(50));
  kill(proxy_->pid(), SIGTERM);
  EXPECT_EQ(ReceiveAll(server_), "held");
  server_.Reset();
  EXPECT_EQ(ReceiveAll(client_), "");
  EXPECT_EQ(proxy_->Wait(), 0);
  EXPECT_FALSE(ConnectTo(address).is_open());
  const nlohmann::json evidence = proxy_->Evidence();
  EXPECT_EQ(evidence["connections"][0]["cause"], "the proxy was stopped");
  EXPECT_EQ(evidence["total"]["to_server"]["bytes"], 4);
}

TEST_F(Relay, DrainIsBoundedAndWhatIsLostIsCounted) {
  Start({"--delay=30s", "--direction=to-server", "--drain=50ms"});
  Connect();
  SendAll(client_, "never");
  Clock::Real()->Wait(absl::Milliseconds(50));
  const nlohmann::json evidence = StopAndRead();
  EXPECT_EQ(evidence["total"]["to_server"]["bytes_undelivered"], 5);
}

TEST_F(Relay, AStallIsSilentAndAResetIsOne) {
  Start({"--fault-stall-after=3"});
  Connect();
  SendAll(server_, "hello");
  EXPECT_EQ(Receive(client_, 3), "hel");
  proxy_.reset();
  Start({"--fault-reset-after=3"});
  Connect();
  SendAll(server_, "hello");
  bool was_reset = false;
  EXPECT_THAT("hello", testing::StartsWith(ReceiveAll(client_, &was_reset)));
  EXPECT_TRUE(was_reset);
}

TEST_F(Relay, ARefusingProxyResetsEveryone) {
  Start({"--fault-refuse"});
  bool was_reset = false;
  ReceiveAll(ConnectTo(proxy_->address()), &was_reset);
  EXPECT_TRUE(was_reset);
}

}  // namespace
}  // namespace tare
