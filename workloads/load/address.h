// Where the server listens.
//
// Immutable, thread-safe.

#ifndef TARE_WORKLOADS_LOAD_ADDRESS_H_
#define TARE_WORKLOADS_LOAD_ADDRESS_H_

#include <sys/socket.h>

#include <string>
#include <variant>

#include "workloads/sdk/cpp/error.h"

namespace tare::load {

struct Address {
  std::string text;  // "127.0.0.1:40123" or "unix:/path"
  std::string host;  // the header Host: "127.0.0.1:40123", or "localhost" of a unix socket
  sockaddr_storage socket_address = {};
  socklen_t length = 0;
};

// "127.0.0.1:40123", "[::1]:80", "http://host:port" or "unix:/path". A name is looked up, once.
std::variant<sdk::Error, Address> FindAddress(const std::string& text);

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_ADDRESS_H_
