#include "bench/proxy/server.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <utility>

#include "bench/proxy/affinity.h"
#include "tests/proxy/sockets.h"

namespace tare::bench {
namespace {

constexpr size_t kBufferBytes = 256 << 10;

void Echo(const UniqueFd& client) {
  std::string buffer(kBufferBytes, '\0');
  while (true) {
    const ssize_t count = recv(client.get(), buffer.data(), buffer.size(), 0);
    if (count <= 0) return;
    if (!SendAll(client, {buffer.data(), static_cast<size_t>(count)})) return;
  }
}

void Send(const UniqueFd& client) {
  const std::string wanted = Receive(client, sizeof(uint64_t));
  uint64_t left = 0;
  if (wanted.size() == sizeof left) std::memcpy(&left, wanted.data(), sizeof left);
  const std::string buffer(kBufferBytes, 'x');
  while (left > 0) {
    const size_t size = std::min<uint64_t>(left, buffer.size());
    if (!SendAll(client, {buffer.data(), size})) return;
    left -= size;
  }
}

// Clients that say nothing only hold their descriptor.
void Serve(UniqueFd client) {
  const timeval forever = {0, 0};
  setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof forever);
  const std::string kind = Receive(client, 1);
  if (kind == "e") Echo(client);
  if (kind == "s") Send(client);
}

}  // namespace

Server::Server(int cpu) {
  const UniqueFd listener = ListenOnLoopback(&address_);
  pid_ = fork();
  if (pid_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  PinTo(cpu);
  while (true)
    std::thread([client = AcceptFrom(listener)]() mutable { Serve(std::move(client)); }).detach();
}

Server::~Server() {
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace tare::bench
