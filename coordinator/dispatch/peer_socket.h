// A listening unix socket that knows who connects.
//
// gRPC does not tell a server the credentials of a unix peer, so tare accepts such connections
// itself, checks them, and hands the descriptor over.
//
// The accepting thread starts in Listen and ends in the destructor.

#ifndef TARE_COORDINATOR_DISPATCH_PEER_SOCKET_H_
#define TARE_COORDINATOR_DISPATCH_PEER_SOCKET_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace tare::coordinator {

class PeerSocket {
 public:
  virtual ~PeerSocket() = default;

  // Listens on `address`, "unix:/path" or "unix-abstract:name" (a name without a file, so that
  // nothing is left behind), and calls `accepted` (on its own thread) with the descriptor,
  // non-blocking and owned by the callee, of every connection from this user or root. Others are
  // closed at once. Unavailable when it cannot be bound; InvalidArgument when it is too long.
  static absl::StatusOr<std::unique_ptr<PeerSocket>> Listen(const std::string& address,
                                                            std::function<void(int)> accepted);
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_DISPATCH_PEER_SOCKET_H_
