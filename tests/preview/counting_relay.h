// A relay on loopback in front of a unix socket that counts what clients write.
//
// Each client waits for the answer before it writes again, so one read from it is one write of it.
// Serves one client, from a thread of its own, until it disconnects.

#ifndef TARE_TESTS_PREVIEW_COUNTING_RELAY_H_
#define TARE_TESTS_PREVIEW_COUNTING_RELAY_H_

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include "base/unique_fd.h"
#include "gtest/gtest.h"

namespace tare {

class CountingRelay {
 public:
  explicit CountingRelay(const std::string& socket_path)
      : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    sockaddr* const any = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener_.get(), any, length), 0);
    EXPECT_EQ(listen(listener_.get(), 1), 0);
    EXPECT_EQ(getsockname(listener_.get(), any, &length), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, socket_path] { Serve(socket_path); });
  }
  // The client must have disconnected.
  ~CountingRelay() { thread_.join(); }

  int port() const { return port_; }
  int64_t client_writes() const { return client_writes_; }

 private:
  void Serve(const std::string& socket_path) {
    UniqueFd client(accept(listener_.get(), nullptr, nullptr));
    UniqueFd server(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path.c_str(), sizeof address.sun_path - 1);
    EXPECT_EQ(connect(server.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    pollfd waited[] = {{client.get(), POLLIN, 0}, {server.get(), POLLIN, 0}};
    while (poll(waited, 2, -1) > 0) {
      if (waited[0].revents != 0) {
        if (!Forward(client.get(), server.get())) return;
        ++client_writes_;
      }
      if (waited[1].revents != 0 && !Forward(server.get(), client.get())) return;
    }
  }

  static bool Forward(int from, int to) {
    char buffer[1 << 16];
    const ssize_t count = recv(from, buffer, sizeof buffer, 0);
    return count > 0 && send(to, buffer, static_cast<size_t>(count), MSG_NOSIGNAL) == count;
  }

  UniqueFd listener_;
  int port_ = 0;
  std::atomic<int64_t> client_writes_{0};
  std::thread thread_;
};

}  // namespace tare

#endif  // TARE_TESTS_PREVIEW_COUNTING_RELAY_H_
