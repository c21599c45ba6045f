#include "base/peer_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/status.h"

namespace tare {
namespace {

constexpr int kBacklog = 16;
constexpr char kAbstract[] = "unix-abstract:";
constexpr char kFile[] = "unix:";

bool IsAllowed(int fd) {
  ucred peer = {};
  socklen_t length = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return false;
  return peer.uid == geteuid() || peer.uid == 0;
}

}  // namespace

absl::StatusOr<UniqueFd> ListenForPeers(const std::string& address) {
  const bool is_abstract = absl::StartsWith(address, kAbstract);
  if (!is_abstract && !absl::StartsWith(address, kFile)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("'", address, "' is no unix socket"))
        .Try("unix:/path, or unix-abstract:name");
  }
  const std::string path(absl::StripPrefix(absl::StripPrefix(address, kAbstract), kFile));
  sockaddr_un bound = {};
  bound.sun_family = AF_UNIX;
  if (path.size() + 1 >= sizeof bound.sun_path) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("socket path '", path, "' is longer than ",
                                  sizeof bound.sun_path - 2, " bytes"))
        .Try("listen on a shorter path");
  }
  // An abstract name begins with a zero byte and ends where the address's length says.
  std::memcpy(bound.sun_path + (is_abstract ? 1 : 0), path.c_str(), path.size());
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  UniqueFd listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener.is_open() ||
      bind(listener.get(), reinterpret_cast<const sockaddr*>(&bound), length) != 0 ||
      (!is_abstract && chmod(path.c_str(), S_IRUSR | S_IWUSR) != 0) ||
      listen(listener.get(), kBacklog) != 0) {
    const int error = errno;
    return MakeError(absl::StatusCode::kUnavailable,
                     absl::StrCat("cannot listen on '", address, "'"))
        .Detail(std::strerror(error));
  }
  return listener;
}

UniqueFd AcceptPeer(int listener) {
  UniqueFd peer(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (peer.is_open() && !IsAllowed(peer.get())) peer.Reset();
  return peer;
}

void RemovePeerSocket(const std::string& address) {
  absl::string_view path = address;
  if (absl::ConsumePrefix(&path, kFile)) unlink(std::string(path).c_str());
}

}  // namespace tare
