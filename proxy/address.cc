#include "proxy/address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status.h"

namespace tare::proxy {
namespace {

// Thousands may come at once; the kernel lowers it to net.core.somaxconn.
constexpr int kBacklog = 4096;
constexpr int kPortMax = 65535;

absl::Status NoAddress(absl::string_view text, absl::string_view why) {
  return MakeError(absl::StatusCode::kInvalidArgument, absl::StrCat("'", text, "' is no address"))
      .Detail(why)
      .Try("write host:port, as in 127.0.0.1:5432, or unix:/path");
}

std::string TextOf(const sockaddr_storage& storage, socklen_t length) {
  if (storage.ss_family == AF_UNIX) {
    const auto* local = reinterpret_cast<const sockaddr_un*>(&storage);
    return length > offsetof(sockaddr_un, sun_path) && local->sun_path[0] != '\0'
               ? absl::StrCat("unix:", local->sun_path)
               : "unix";
  }
  char host[NI_MAXHOST] = {};
  char port[NI_MAXSERV] = {};
  if (getnameinfo(reinterpret_cast<const sockaddr*>(&storage), length, host, sizeof host, port,
                  sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return "unknown";
  }
  return storage.ss_family == AF_INET6 ? absl::StrCat("[", host, "]:", port)
                                       : absl::StrCat(host, ":", port);
}

// A socket file that nobody listens on any more.
bool IsStale(const sockaddr* address, socklen_t length) {
  UniqueFd probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return probe.is_open() && connect(probe.get(), address, length) != 0 && errno == ECONNREFUSED;
}

void SetNoDelay(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

absl::StatusOr<Address> Address::Parse(absl::string_view text) {
  Address address;
  absl::string_view path = text;
  if (absl::ConsumePrefix(&path, "unix:")) {
    auto* local = reinterpret_cast<sockaddr_un*>(&address.storage_);
    if (path.empty() || path.size() >= sizeof local->sun_path) {
      return NoAddress(text, absl::StrCat("a socket's path has 1 to ", sizeof local->sun_path - 1,
                                          " bytes, this one ", path.size()));
    }
    local->sun_family = AF_UNIX;
    std::memcpy(local->sun_path, path.data(), path.size());
    address.length_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
    return address;
  }
  const size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos) return NoAddress(text, "the port is missing");
  std::string host(text.substr(0, colon));
  const std::string port(text.substr(colon + 1));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  int number = 0;
  if (host.empty()) return NoAddress(text, "the host is missing");
  if (!absl::SimpleAtoi(port, &number) || number < 0 || number > kPortMax) {
    return NoAddress(text, absl::StrCat("'", port, "' is no port, 0 to ", kPortMax));
  }
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0) {
    return MakeError(absl::StatusCode::kNotFound, absl::StrCat("host '", host, "' is not known"))
        .Detail(gai_strerror(error));
  }
  std::memcpy(&address.storage_, found->ai_addr, found->ai_addrlen);
  address.length_ = found->ai_addrlen;
  freeaddrinfo(found);
  return address;
}

bool Address::is_local() const {
  if (is_unix()) return true;
  if (storage_.ss_family == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&storage_);
    return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
  }
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&storage_);
  return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
}

std::string Address::text() const { return TextOf(storage_, length_); }

absl::StatusOr<UniqueFd> Address::Listen() const {
  UniqueFd fd(socket(storage_.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  if (fd.is_open() && !is_unix()) setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (is_unix() && IsStale(generic(), length_)) RemoveFile();
  if (fd.is_open() && bind(fd.get(), generic(), length_) == 0 && listen(fd.get(), kBacklog) == 0) {
    return fd;
  }
  const int error = errno;
  const std::string what = absl::StrCat("cannot listen on '", text(), "'");
  if (error != EADDRINUSE) return ErrnoError(error, what);
  return MakeError(absl::StatusCode::kAlreadyExists, what)
      .Detail("another program listens there")
      .Try("choose another port, or 0 for a free one");
}

void Address::RemoveFile() const {
  if (is_unix()) unlink(reinterpret_cast<const sockaddr_un*>(&storage_)->sun_path);
}

absl::StatusOr<UniqueFd> Address::StartConnect() const {
  UniqueFd fd(socket(storage_.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!fd.is_open()) return absl::UnavailableError(std::strerror(errno));
  if (!is_unix()) SetNoDelay(fd.get());
  if (connect(fd.get(), generic(), length_) != 0 && errno != EINPROGRESS) {
    return absl::UnavailableError(std::strerror(errno));
  }
  return fd;
}

std::string AddressOf(int fd, bool is_peer) {
  sockaddr_storage storage = {};
  socklen_t length = sizeof storage;
  auto* generic = reinterpret_cast<sockaddr*>(&storage);
  const int outcome =
      is_peer ? getpeername(fd, generic, &length) : getsockname(fd, generic, &length);
  return outcome == 0 ? TextOf(storage, length) : "unknown";
}

}  // namespace tare::proxy
