#include "agent/services/readiness.h"

#include <sys/socket.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "agent/services/death.h"
#include "agent/services/port.h"
#include "agent/services/server_log.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace tare::agent {
namespace {

constexpr absl::Duration kLookAgain = absl::Milliseconds(5);
constexpr size_t kStatusLineBytesMax = 256;

struct Look {
  bool is_ready = false;
  std::string seen;  // in words
};

// The first line of what the server answers to GET; empty when it does not answer.
std::string StatusLine(int port, const std::string& path) {
  const UniqueFd fd = ConnectTo(port);
  if (!fd.is_open()) return "";
  const std::string request = absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: 127.0.0.1:", port,
                                           "\r\nConnection: close\r\n\r\n");
  if (send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return "";
  std::string answer;
  while (answer.size() < kStatusLineBytesMax && !absl::StrContains(answer, "\r\n")) {
    char buffer[kStatusLineBytesMax];
    const ssize_t count = recv(fd.get(), buffer, sizeof buffer, 0);
    if (count <= 0) break;
    answer.append(buffer, static_cast<size_t>(count));
  }
  return answer.substr(0, answer.find("\r\n"));
}

Look LookByHttp(int port, const std::string& path) {
  const std::string line = StatusLine(port, path);
  if (line.empty()) return {false, absl::StrCat("GET ", path, " was not answered")};
  const std::vector<std::string> words = absl::StrSplit(line, ' ');
  const bool is_ready = words.size() >= 2 && absl::StartsWith(words[0], "HTTP/1.") &&
                        words[1].size() == 3 && words[1][0] == '2';
  return {is_ready, absl::StrCat("GET ", path, " was answered '", line, "'")};
}

Look LookForLine(const std::string& text, Process& process) {
  for (absl::string_view line : absl::StrSplit(process.LogTail(), '\n')) {
    if (absl::StrContains(line, text)) return {true, ""};
  }
  return {false, absl::StrCat("no line with '", text, "' was written")};
}

Look LookAt(const v1::Readiness& ready, int port, Process& process) {
  if (ready.has_http()) return LookByHttp(port, ready.http());
  if (ready.has_line()) return LookForLine(ready.line(), process);
  return {ConnectTo(port).is_open(), absl::StrCat("port ", port, " took no connection")};
}

}  // namespace

absl::Status AwaitReady(const v1::Readiness& ready, int port, Process& process) {
  const absl::Duration timeout = absl::Nanoseconds(ready.timeout_ns());
  const absl::Duration deadline = Clock::Real()->Monotonic() + timeout;
  Look look;
  do {
    // In this order: what it wrote before it ended is then there.
    const bool is_running = process.is_running();
    look = LookAt(ready, port, process);
    if (!is_running) return DeathOf(process, "the server", "before it was ready");
    if (look.is_ready) return absl::OkStatus();
    Clock::Real()->Wait(kLookAgain);
  } while (Clock::Real()->Monotonic() < deadline);
  const std::string said = LastWords(process.LogTail());
  return MakeError(absl::StatusCode::kDeadlineExceeded,
                   absl::StrCat("the server was not ready within ", absl::FormatDuration(timeout)))
      .Detail(said.empty() ? look.seen : absl::StrCat(look.seen, "; it wrote: ", said))
      .Try("look at 'ready', or give it a longer 'timeout'");
}

}  // namespace tare::agent
