#include "coordinator/dispatch/peer_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace tare::coordinator {
namespace {

constexpr int kBacklog = 16;
constexpr char kAbstract[] = "unix-abstract:";
constexpr char kFile[] = "unix:";

bool IsAllowedPeer(int fd) {
  ucred peer = {};
  socklen_t length = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return false;
  return peer.uid == geteuid() || peer.uid == 0;
}

class AcceptingSocket : public PeerSocket {
 public:
  AcceptingSocket(UniqueFd listener, std::string path, std::function<void(int)> accepted)
      : listener_(std::move(listener)),
        stop_(eventfd(0, EFD_CLOEXEC)),
        path_(std::move(path)),
        accepted_(std::move(accepted)),
        thread_([this] { Accept(); }) {}

  ~AcceptingSocket() override {
    const uint64_t one = 1;
    if (write(stop_.get(), &one, sizeof one) == sizeof one) thread_.join();
    if (!path_.empty()) unlink(path_.c_str());
  }

 private:
  void Accept() {
    while (true) {
      pollfd watched[2] = {{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
      if (poll(watched, 2, -1) < 0 && errno != EINTR) return;
      if ((watched[1].revents & POLLIN) != 0) return;
      if ((watched[0].revents & POLLIN) == 0) continue;
      UniqueFd peer(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (peer.is_open() && IsAllowedPeer(peer.get())) accepted_(peer.Release());
    }
  }

  UniqueFd listener_;
  UniqueFd stop_;
  const std::string path_;
  const std::function<void(int)> accepted_;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PeerSocket>> PeerSocket::Listen(const std::string& address,
                                                               std::function<void(int)> accepted) {
  const bool is_abstract = absl::StartsWith(address, kAbstract);
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
  return std::unique_ptr<PeerSocket>(
      new AcceptingSocket(std::move(listener), is_abstract ? "" : path, std::move(accepted)));
}

}  // namespace tare::coordinator
