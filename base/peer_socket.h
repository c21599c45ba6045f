// A unix socket that only our own user and root may connect to.
//
// Addresses: "unix:/path", a file that only we may touch, or "unix-abstract:name", which leaves
// nothing behind however we end. The kernel says who a peer is, so no secret is needed.
// Thread-safe.

#ifndef TARE_BASE_PEER_SOCKET_H_
#define TARE_BASE_PEER_SOCKET_H_

#include <string>

#include "absl/status/statusor.h"
#include "base/unique_fd.h"

namespace tare {

// A listening, non-blocking socket. InvalidArgument for what is no address or too long, Unavailable
// with the reason otherwise.
absl::StatusOr<UniqueFd> ListenForPeers(const std::string& address);

// The next peer, non-blocking; not open when there is none or it is not allowed.
UniqueFd AcceptPeer(int listener);

// Removes the socket's file, if the address is one.
void RemovePeerSocket(const std::string& address);

}  // namespace tare

#endif  // TARE_BASE_PEER_SOCKET_H_
