// A sender at full speed and a client that half-closes, with bytes held for longer than it takes to
// send them.

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cstring>
#include <functional>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/unique_fd.h"
#include "gtest/gtest.h"
#include "tests/proxy/clients/proxied_test.h"

namespace tare {
namespace {

constexpr size_t kBlockBytes = 1 << 20;
// What one read of the proxy may add to what it holds.
constexpr int64_t kReadBytesMax = 128 << 10;

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

// So that bytes that never come are a failure and not a test without an end.
void BoundWaiting(int fd) {
  const timeval longest = {20, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof longest);
}

// Serves one client on 127.0.0.1 from a thread of its own.
class OneClientServer {
 public:
  explicit OneClientServer(std::function<void(int client)> serve)
      : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = Loopback(0);
    socklen_t length = sizeof address;
    sockaddr* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener_.get(), any, length), 0);
    EXPECT_EQ(listen(listener_.get(), 1), 0);
    EXPECT_EQ(getsockname(listener_.get(), any, &length), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, serve = std::move(serve)] {
      const UniqueFd client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      BoundWaiting(client.get());
      serve(client.get());
    });
  }
  // A client that never came is not waited for.
  ~OneClientServer() {
    shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }

  std::string address() const { return absl::StrCat("127.0.0.1:", port_); }

 private:
  UniqueFd listener_;
  int port_ = 0;
  std::thread thread_;
};

UniqueFd Connect(int port) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = Loopback(port);
  EXPECT_EQ(connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  BoundWaiting(fd.get());
  return fd;
}

// A block that differs from every other one by its number.
std::string Block(int64_t number) {
  static const std::string* const kLetters = new std::string(MakeLines(kBlockBytes / 1000 + 1));
  std::string block = kLetters->substr(0, kBlockBytes);
  std::memcpy(block.data(), &number, sizeof number);
  return block;
}

void SendBlocks(int fd, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if (!WriteFully(fd, Block(i)).ok()) return;
  }
}

// Reads to the end; how many blocks came, −1 when their bytes are not those that were sent.
int64_t ReceiveBlocks(int fd) {
  std::string got(kBlockBytes, '\0');
  for (int64_t count = 0;; ++count) {
    const ssize_t size = recv(fd, got.data(), got.size(), MSG_WAITALL);
    if (size == 0) return count;
    if (size != static_cast<ssize_t>(got.size()) || got != Block(count)) return -1;
  }
}

class Bulk : public ProxiedTest {
 protected:
  // The server sends `count` blocks through a proxy with `arguments`.
  v1::ProxyEvidence Receive(int64_t count, const std::vector<std::string>& arguments) {
    OneClientServer server([&](int client) { SendBlocks(client, count); });
    ProxyProcess proxy = StartProxy(server.address(), arguments);
    const UniqueFd client = Connect(proxy.port());
    EXPECT_EQ(ReceiveBlocks(client.get()), count);
    return proxy.Stop();
  }
};

// Everything that a sender sends within the delay is held at once, so that a delay costs its time
// once and not once for each piece.
TEST_F(Bulk, HoldsAllThatComesWithinTheDelay) {
  constexpr int64_t kBlocks = 256;
  const v1::ProxyEvidence evidence =
      Receive(kBlocks, {"--delay", "100ms", "--held-bytes", "512MiB"});
  const v1::ProxyDirection& to_client = evidence.total().to_client();
  EXPECT_EQ(to_client.bytes(), kBlocks << 20);
  EXPECT_EQ(to_client.bytes_undelivered(), 0);
  EXPECT_EQ(to_client.bound_reached(), 0);
  EXPECT_LE(to_client.queue_bytes_max(), kBlocks << 20);
  EXPECT_EQ(to_client.asked().minimum_ns(), 100'000'000);
  EXPECT_EQ(to_client.asked().maximum_ns(), 100'000'000);
  ExpectNoneEarly(evidence);
  // No byte was due later than the delay after it came.
  EXPECT_EQ(to_client.ordered().maximum_ns(), 0);
}

TEST_F(Bulk, StopsReadingAtTheBoundAndLosesNothing) {
  constexpr int64_t kBlocks = 32;
  const v1::ProxyEvidence evidence = Receive(kBlocks, {"--delay", "20ms", "--held-bytes", "1MiB"});
  const v1::ProxyDirection& to_client = evidence.total().to_client();
  EXPECT_EQ(to_client.bytes(), kBlocks << 20);
  EXPECT_EQ(to_client.bytes_undelivered(), 0);
  EXPECT_GT(to_client.bound_reached(), 0);
  EXPECT_GE(to_client.queue_bytes_max(), 1 << 20);
  EXPECT_LT(to_client.queue_bytes_max(), (1 << 20) + kReadBytesMax);
}

TEST_F(Bulk, GivesAHalfClosedClientItsWholeReply) {
  constexpr int64_t kBlocks = 8;
  for (const absl::Duration delay : kDelays) {
    SCOPED_TRACE(delay);
    int64_t received = 0;
    OneClientServer server([&](int client) {
      received = ReceiveBlocks(client);
      SendBlocks(client, kBlocks);
    });
    ProxyProcess proxy = StartProxy(server.address(), delay);
    const UniqueFd client = Connect(proxy.port());
    SendBlocks(client.get(), kBlocks);
    shutdown(client.get(), SHUT_WR);
    EXPECT_EQ(ReceiveBlocks(client.get()), kBlocks);
    EXPECT_EQ(received, kBlocks);
    const v1::ProxyEvidence evidence = proxy.Stop();
    ExpectIntact(evidence, delay);
    EXPECT_EQ(evidence.total().turns(), 1);
  }
}

}  // namespace
}  // namespace tare
