#include "workloads/load/address.h"

#include <netdb.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>

namespace tare::load {
namespace {

constexpr char kAccepted[] = "expected host:port, http://host:port or unix:/path";

std::variant<sdk::Error, Address> FindUnix(const std::string& text, const std::string& path) {
  sockaddr_un name = {};
  name.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof name.sun_path) {
    return sdk::Error{
        "address '" + text + "' is no unix socket",
        "expected unix:/path of at most " + std::to_string(sizeof name.sun_path - 1) + " bytes",
        ""};
  }
  std::memcpy(name.sun_path, path.data(), path.size());
  Address address{text, "localhost", {}, 0};
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + 1);
  std::memcpy(&address.socket_address, &name, address.length);
  return address;
}

}  // namespace

std::variant<sdk::Error, Address> FindAddress(const std::string& text) {
  if (text.starts_with("unix:")) return FindUnix(text, text.substr(5));
  const std::string place = text.starts_with("http://") ? text.substr(7) : text;
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == place.size()) {
    return sdk::Error{"address '" + text + "' has no host and port", kAccepted, ""};
  }
  std::string host = place.substr(0, colon);
  if (host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int outcome = getaddrinfo(host.c_str(), place.substr(colon + 1).c_str(), &hints, &found);
  if (outcome != 0) {
    return sdk::Error{"address '" + text + "' cannot be found", gai_strerror(outcome), ""};
  }
  Address address{place, place, {}, found->ai_addrlen};
  std::memcpy(&address.socket_address, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  return address;
}

}  // namespace tare::load
