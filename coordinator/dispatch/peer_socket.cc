#include "coordinator/dispatch/peer_socket.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "base/peer_socket.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace tare::coordinator {
namespace {

class AcceptingSocket : public PeerSocket {
 public:
  AcceptingSocket(UniqueFd listener, std::string address, std::function<void(int)> accepted)
      : listener_(std::move(listener)),
        stop_(eventfd(0, EFD_CLOEXEC)),
        address_(std::move(address)),
        accepted_(std::move(accepted)),
        thread_([this] { Accept(); }) {}

  ~AcceptingSocket() override {
    const uint64_t one = 1;
    if (write(stop_.get(), &one, sizeof one) == sizeof one) thread_.join();
    RemovePeerSocket(address_);
  }

 private:
  void Accept() {
    while (true) {
      pollfd watched[2] = {{listener_.get(), POLLIN, 0}, {stop_.get(), POLLIN, 0}};
      if (poll(watched, 2, -1) < 0 && errno != EINTR) return;
      if ((watched[1].revents & POLLIN) != 0) return;
      if ((watched[0].revents & POLLIN) == 0) continue;
      UniqueFd peer = AcceptPeer(listener_.get());
      if (peer.is_open()) accepted_(peer.Release());
    }
  }

  UniqueFd listener_;
  UniqueFd stop_;
  const std::string address_;
  const std::function<void(int)> accepted_;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<PeerSocket>> PeerSocket::Listen(const std::string& address,
                                                               std::function<void(int)> accepted) {
  ASSIGN_OR_RETURN(UniqueFd listener, ListenForPeers(address));
  return std::make_unique<AcceptingSocket>(std::move(listener), address, std::move(accepted));
}

}  // namespace tare::coordinator
