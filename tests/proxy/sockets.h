// Plain blocking TCP sockets on loopback, for both ends of a relay.

#ifndef TARE_TESTS_PROXY_SOCKETS_H_
#define TARE_TESTS_PROXY_SOCKETS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "base/unique_fd.h"

namespace tare {

// Listens on a free port of 127.0.0.1; `address` is then "127.0.0.1:PORT".
UniqueFd ListenOnLoopback(std::string* address);

// A free port of 127.0.0.1 on which nobody listens.
std::string FreeAddress();

// Connects to "127.0.0.1:PORT" or "unix:/path". Not open when it is refused. Reads and writes give
// up after 20 s, so that a test fails rather than hangs.
UniqueFd ConnectTo(const std::string& address);
UniqueFd AcceptFrom(const UniqueFd& listener);

// False when the peer is gone.
bool SendAll(const UniqueFd& fd, absl::string_view bytes);
// Until `count` bytes are there, or the end.
std::string Receive(const UniqueFd& fd, size_t count);
// Until the end of file; `was_reset` tells whether it was one.
std::string ReceiveAll(const UniqueFd& fd, bool* was_reset = nullptr);
// Closes with a reset.
void ResetConnection(UniqueFd fd);

}  // namespace tare

#endif  // TARE_TESTS_PROXY_SOCKETS_H_
