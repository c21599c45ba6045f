#include "tests/proxy/sockets.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace tare {
namespace {

constexpr timeval kPatience = {20, 0};
constexpr int kBacklog = 1024;

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

void BePatient(const UniqueFd& fd) {
  setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  setsockopt(fd.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  const int on = 1;
  setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

// A bound socket and its address.
UniqueFd Bind(std::string* text) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = Loopback(0);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  bind(fd.get(), generic, length);
  getsockname(fd.get(), generic, &length);
  *text = absl::StrCat("127.0.0.1:", ntohs(address.sin_port));
  return fd;
}

}  // namespace

UniqueFd ListenOnLoopback(std::string* address) {
  UniqueFd fd = Bind(address);
  listen(fd.get(), kBacklog);
  return fd;
}

std::string FreeAddress() {
  std::string address;
  Bind(&address);
  return address;
}

UniqueFd ConnectTo(const std::string& address) {
  absl::string_view path = address;
  if (absl::ConsumePrefix(&path, "unix:")) {
    UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un local = {};
    local.sun_family = AF_UNIX;
    std::memcpy(local.sun_path, path.data(), path.size());
    if (connect(fd.get(), reinterpret_cast<sockaddr*>(&local), sizeof local) != 0) return {};
    BePatient(fd);
    return fd;
  }
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in remote = Loopback(std::atoi(address.substr(address.rfind(':') + 1).c_str()));
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&remote), sizeof remote) != 0) return {};
  BePatient(fd);
  return fd;
}

UniqueFd AcceptFrom(const UniqueFd& listener) {
  UniqueFd fd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  BePatient(fd);
  return fd;
}

bool SendAll(const UniqueFd& fd, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

std::string Receive(const UniqueFd& fd, size_t count) {
  std::string all(count, '\0');
  size_t have = 0;
  while (have < count) {
    const ssize_t got = recv(fd.get(), all.data() + have, count - have, 0);
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  all.resize(have);
  return all;
}

std::string ReceiveAll(const UniqueFd& fd, bool* was_reset) {
  std::string all;
  std::string bytes(64 << 10, '\0');
  ssize_t count;
  while ((count = recv(fd.get(), bytes.data(), bytes.size(), 0)) > 0) {
    all.append(bytes.data(), static_cast<size_t>(count));
  }
  if (was_reset != nullptr) *was_reset = count < 0 && errno == ECONNRESET;
  return all;
}

void ResetConnection(UniqueFd fd) {
  const linger now = {1, 0};
  setsockopt(fd.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

}  // namespace tare
