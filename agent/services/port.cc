#include "agent/services/port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/files.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace tare::agent {
namespace {

constexpr int kWaitSeconds = 1;

// State of a listening socket in /proc/net/tcp.
constexpr char kListen[] = "0A";

sockaddr_in Loopback(int port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  return address;
}

// Adds "socket:[inode]" of everyone who listens on `port`, of one of the kernel's tables. A line is
// "  0: 0100007F:1F90 00000000:0000 0A … inode …".
void AddListeners(const std::string& table, int port, std::set<std::string>* sockets) {
  constexpr size_t kLocal = 1;
  constexpr size_t kState = 3;
  constexpr size_t kInode = 9;
  const absl::StatusOr<std::string> text = ReadFile(table);
  if (!text.ok()) return;
  for (absl::string_view line : absl::StrSplit(*text, '\n')) {
    const std::vector<absl::string_view> columns = absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (columns.size() <= kInode || columns[kState] != kListen) continue;
    const size_t colon = columns[kLocal].rfind(':');
    if (colon == absl::string_view::npos) continue;
    int64_t local_port = 0;
    if (absl::SimpleHexAtoi(columns[kLocal].substr(colon + 1), &local_port) && local_port == port) {
      sockets->insert(absl::StrCat("socket:[", columns[kInode], "]"));
    }
  }
}

}  // namespace

absl::StatusOr<int> FreePort() {
  const UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = Loopback(0);
  socklen_t length = sizeof address;
  if (fd.get() < 0 || bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    return ErrnoError(errno, "no free port on 127.0.0.1");
  }
  return ntohs(address.sin_port);
}

std::optional<pid_t> ListenerOf(int port, const std::vector<pid_t>& among) {
  std::set<std::string> sockets;
  AddListeners("/proc/net/tcp", port, &sockets);
  AddListeners("/proc/net/tcp6", port, &sockets);
  for (const pid_t pid : among) {
    std::error_code error;
    std::filesystem::directory_iterator descriptors(absl::StrCat("/proc/", pid, "/fd"), error);
    // Processes and descriptors may go away while they are looked at.
    for (; !error && descriptors != std::filesystem::directory_iterator();
         descriptors.increment(error)) {
      std::error_code unreadable;
      const std::string target =
          std::filesystem::read_symlink(descriptors->path(), unreadable).string();
      if (!unreadable && sockets.contains(target)) return pid;
    }
  }
  return std::nullopt;
}

UniqueFd ConnectTo(int port) {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval timeout = {.tv_sec = kWaitSeconds, .tv_usec = 0};
  // Connecting counts as sending: it waits for as long as a server accepts nothing.
  for (const int option : {SO_RCVTIMEO, SO_SNDTIMEO}) {
    setsockopt(fd.get(), SOL_SOCKET, option, &timeout, sizeof timeout);
  }
  sockaddr_in address = Loopback(port);
  if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) fd.Reset();
  return fd;
}

}  // namespace tare::agent
