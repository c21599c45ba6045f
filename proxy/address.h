// Where to listen and where to connect: "127.0.0.1:5432", "[::1]:0", "db.lab:5432", "unix:/path".
//
// Host names are looked up once, when parsed. Thread-safe.

#ifndef TARE_PROXY_ADDRESS_H_
#define TARE_PROXY_ADDRESS_H_

#include <sys/socket.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/unique_fd.h"

namespace tare::proxy {

class Address {
 public:
  // InvalidArgument for what is no address, NotFound for a host that nobody knows.
  static absl::StatusOr<Address> Parse(absl::string_view text);

  bool is_unix() const { return storage_.ss_family == AF_UNIX; }
  // True for a unix socket and for 127.0.0.0/8 and ::1.
  bool is_local() const;
  // As Parse reads it, host and port in numbers.
  std::string text() const;

  // A listening, non-blocking socket. AlreadyExists when the port or path is taken; a path that a
  // dead process left is taken over. PermissionDenied, Unavailable.
  absl::StatusOr<UniqueFd> Listen() const;

  // Removes a unix socket's file.
  void RemoveFile() const;

  // A non-blocking socket whose connection is made or on its way. Unavailable with the reason.
  absl::StatusOr<UniqueFd> StartConnect() const;

 private:
  const sockaddr* generic() const { return reinterpret_cast<const sockaddr*>(&storage_); }

  sockaddr_storage storage_ = {};
  socklen_t length_ = 0;
};

// The text of a socket's own address (`is_peer` false) or its peer's; "unix" for nameless ones.
std::string AddressOf(int fd, bool is_peer);

}  // namespace tare::proxy

#endif  // TARE_PROXY_ADDRESS_H_
