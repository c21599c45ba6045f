#include "bench/load/server.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "absl/strings/string_view.h"
#include "base/unique_fd.h"
#include "bench/proxy/affinity.h"
#include "tests/proxy/sockets.h"

namespace tare::bench {
namespace {

constexpr absl::string_view kReply = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

void Watch(int epoll, int fd) {
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.fd = fd;
  epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

// Requests are small and not pipelined, so one read is one of them.
void Answer(int client) {
  char buffer[4096];
  if (recv(client, buffer, sizeof buffer, 0) <= 0) {
    close(client);
  } else if (send(client, kReply.data(), kReply.size(), MSG_NOSIGNAL) < 0) {
    close(client);
  }
}

[[noreturn]] void Serve(const UniqueFd& listener) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  Watch(epoll, listener.get());
  std::array<epoll_event, 64> events = {};
  while (true) {
    const int count = epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[static_cast<size_t>(i)].data.fd;
      if (fd == listener.get()) {
        Watch(epoll, AcceptFrom(listener).Release());
      } else {
        Answer(fd);
      }
    }
  }
}

}  // namespace

ReplyServer::ReplyServer(int cpu) {
  const UniqueFd listener = ListenOnLoopback(&address_);
  pid_ = fork();
  if (pid_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  PinTo(cpu);
  Serve(listener);
}

ReplyServer::~ReplyServer() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace tare::bench
