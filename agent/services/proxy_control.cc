#include "agent/services/proxy_control.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "google/protobuf/util/json_util.h"

namespace tare::agent {
namespace {

constexpr size_t kShownBytesMax = 200;

ErrorBuilder NoAnswer(absl::StatusCode code) {
  return MakeError(code, "tare-proxy does not answer on its control socket");
}

absl::StatusOr<UniqueFd> Connect(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // An abstract name begins with a zero byte.
  if (name.size() >= sizeof address.sun_path) {
    return MakeError(absl::StatusCode::kInternal,
                     absl::StrCat("socket name '", name, "' is too long"));
  }
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.is_open() || connect(fd.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) {
    return NoAnswer(absl::StatusCode::kUnavailable).Detail(std::strerror(errno));
  }
  return fd;
}

// Waits until the socket can be read.
absl::Status AwaitBytes(int fd, absl::Duration deadline) {
  while (true) {
    const absl::Duration left = deadline - Clock::Real()->Monotonic();
    if (left <= absl::ZeroDuration()) {
      return NoAnswer(absl::StatusCode::kDeadlineExceeded)
          .Detail(absl::StrCat("waited ", absl::FormatDuration(kProxyAnswerTimeMax)));
    }
    pollfd watched{fd, POLLIN, 0};
    const int64_t left_ms = absl::ToInt64Milliseconds(absl::Ceil(left, absl::Milliseconds(1)));
    const int ready = poll(&watched, 1, static_cast<int>(left_ms));
    if (ready > 0) return absl::OkStatus();
    if (ready < 0 && errno != EINTR) {
      return NoAnswer(absl::StatusCode::kUnavailable).Detail(std::strerror(errno));
    }
  }
}

// One line, without its end.
absl::StatusOr<std::string> ReadLine(int fd, absl::Duration deadline) {
  std::string line;
  while (line.size() <= kProxyAnswerBytesMax) {
    RETURN_IF_ERROR(AwaitBytes(fd, deadline));
    char buffer[1 << 16];
    const ssize_t count = recv(fd, buffer, sizeof buffer, 0);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return NoAnswer(absl::StatusCode::kUnavailable).Detail("it hung up");
    const char* const end = std::find(buffer, buffer + count, '\n');
    line.append(buffer, static_cast<size_t>(end - buffer));
    if (end != buffer + count) return line;
  }
  return MakeError(absl::StatusCode::kResourceExhausted, "tare-proxy's answer is too long")
      .Detail(absl::StrCat("the limit is ", kProxyAnswerBytesMax, " bytes"));
}

// Asks {"question":{}} and reads the answer {"question":{…}} into `message`.
absl::Status Ask(const std::string& name, absl::string_view question,
                 google::protobuf::Message* message) {
  ASSIGN_OR_RETURN(const UniqueFd fd, Connect(name));
  const std::string asked = absl::StrCat("{\"", question, "\":{}}\n");
  // So short that a fresh socket always takes it whole.
  if (send(fd.get(), asked.data(), asked.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(asked.size())) {
    return NoAnswer(absl::StatusCode::kUnavailable).Detail(std::strerror(errno));
  }
  ASSIGN_OR_RETURN(const std::string line,
                   ReadLine(fd.get(), Clock::Real()->Monotonic() + kProxyAnswerTimeMax));
  absl::string_view body = line;
  const bool is_answer = absl::ConsumePrefix(&body, absl::StrCat("{\"", question, "\":")) &&
                         absl::ConsumeSuffix(&body, "}");
  if (!is_answer ||
      !google::protobuf::util::JsonStringToMessage({body.data(), body.size()}, message).ok()) {
    return MakeError(absl::StatusCode::kDataLoss,
                     absl::StrCat("tare-proxy was asked for its ", question,
                                  " and answered something else"))
        .Detail(absl::string_view(line).substr(0, kShownBytesMax))
        .Try("install tare-agent and tare-proxy of one version");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::ProxyCounters> ProxyControl::Counters() const {
  v1::ProxyCounters counters;
  RETURN_IF_ERROR(Ask(name_, "counters", &counters));
  return counters;
}

absl::StatusOr<v1::ProxyEvidence> ProxyControl::Evidence() const {
  v1::ProxyEvidence evidence;
  RETURN_IF_ERROR(Ask(name_, "evidence", &evidence));
  return evidence;
}

}  // namespace tare::agent
