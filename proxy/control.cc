#include "proxy/control.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/message_json.h"
#include "base/peer_socket.h"
#include "base/status.h"
#include "base/version.h"
#include "nlohmann/json.hpp"
#include "proxy/profile_text.h"

namespace tare::proxy {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kClientsMax = 16;
constexpr size_t kLineBytesMax = 64 << 10;
// A client that does not take its answer for so long is dropped.
constexpr timeval kAnswerTimeout = {2, 0};
// After a peer that could not be accepted.
constexpr int kAcceptPauseMs = 10;
// How often the books are tidied.
constexpr int kTidyMs = 200;

int64_t CpuNs() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * int64_t{1'000'000'000} + now.tv_nsec;
}

std::string ErrorLine(const absl::Status& status) {
  return Json{{"error", {{"message", FormatError(status)}}}}.dump(-1, ' ', false,
                                                                  Json::error_handler_t::replace);
}

absl::StatusOr<ProfileText> ReadProfileText(const Json& object) {
  ProfileText text;
  const std::pair<const char*, std::optional<std::string>*> keys[] = {
      {"delay", &text.delay},         {"law", &text.law},
      {"spread", &text.spread},       {"trace", &text.trace},
      {"direction", &text.direction}, {"bytes_per_second", &text.bytes_per_second},
      {"record", &text.record}};
  for (const auto& [name, value] : object.items()) {
    bool is_known = false;
    for (const auto& [key, target] : keys) {
      if (name != key) continue;
      is_known = true;
      *target = value.is_string() ? value.get<std::string>() : value.dump();
    }
    if (is_known) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("a profile has no '", name, "'"))
        .Detail("known: delay, law, spread, trace, direction, bytes_per_second, record");
  }
  return text;
}

struct Client {
  UniqueFd fd;
  std::string line;
};

class ControlThread : public Control {
 public:
  ControlThread(UniqueFd listener, std::string address, Relay* relay, std::string to)
      : listener_(std::move(listener)),
        address_(std::move(address)),
        relay_(relay),
        to_(std::move(to)),
        started_ns_(NowNs()),
        stop_(eventfd(0, EFD_CLOEXEC)),
        thread_([this] { Serve(); }) {}

  ~ControlThread() override {
    const uint64_t one = 1;
    if (write(stop_.get(), &one, sizeof one) == sizeof one) thread_.join();
    RemovePeerSocket(address_);
  }

 private:
  void Serve() {
    while (true) {
      std::vector<pollfd> watched = {{stop_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
      for (const Client& client : clients_) watched.push_back({client.fd.get(), POLLIN, 0});
      poll(watched.data(), watched.size(), kTidyMs);
      if (watched[0].revents != 0) return;
      relay_->ledger().Tidy();
      for (size_t i = clients_.size(); i > 0; --i) {
        if (watched[i + 1].revents != 0 && !ReadFrom(clients_[i - 1])) {
          clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        }
      }
      if (watched[1].revents != 0) AcceptOne();
    }
  }

  void AcceptOne() {
    UniqueFd peer = AcceptPeer(listener_.get());
    if (!peer.is_open()) {
      // Not allowed, or descriptors have run out; then the listener stays readable.
      poll(nullptr, 0, kAcceptPauseMs);
      return;
    }
    if (clients_.size() == kClientsMax) return;
    // Answers are written in one go, so they may wait; reading never does.
    fcntl(peer.get(), F_SETFL, 0);
    setsockopt(peer.get(), SOL_SOCKET, SO_SNDTIMEO, &kAnswerTimeout, sizeof kAnswerTimeout);
    clients_.push_back({std::move(peer), ""});
  }

  // False when the client is done with.
  bool ReadFrom(Client& client) {
    char bytes[4096];
    const ssize_t count = recv(client.fd.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    client.line.append(bytes, static_cast<size_t>(count));
    size_t end;
    while ((end = client.line.find('\n')) != std::string::npos) {
      const std::string answer = absl::StrCat(Answer(client.line.substr(0, end)), "\n");
      client.line.erase(0, end + 1);
      if (!WriteFully(client.fd.get(), answer).ok()) return false;
    }
    return client.line.size() <= kLineBytesMax;
  }

  std::string Answer(const std::string& line) {
    const Json request = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!request.is_object() || request.size() != 1 || !request.begin()->is_object()) {
      return ErrorLine(MakeError(absl::StatusCode::kInvalidArgument, "not a request")
                           .Try(R"(send a line such as {"counters":{}})"));
    }
    const std::string& name = request.begin().key();
    if (name == "counters") {
      return absl::StrCat(R"({"counters":)", FormatJson(relay_->ledger().Counters(), -1), "}");
    }
    if (name == "evidence") {
      return absl::StrCat(R"({"evidence":)",
                          FormatJson(CollectEvidence(*relay_, to_, started_ns_), -1), "}");
    }
    if (name == "profile") return AnswerProfile(*request.begin());
    return ErrorLine(
        MakeError(absl::StatusCode::kInvalidArgument, absl::StrCat("'", name, "' is no request"))
            .Detail("known: counters, evidence, profile"));
  }

  std::string AnswerProfile(const Json& object) {
    absl::StatusOr<ProfileText> text = ReadProfileText(object);
    if (!text.ok()) return ErrorLine(text.status());
    absl::StatusOr<std::shared_ptr<const Profile>> profile = ParseProfile(*text);
    if (!profile.ok()) return ErrorLine(profile.status());
    relay_->SetProfile(*profile);
    return Json{{"profile", {{"now", (*profile)->words}}}}.dump();
  }

  const UniqueFd listener_;
  const std::string address_;
  Relay* const relay_;
  const std::string to_;
  const int64_t started_ns_;
  std::vector<Client> clients_;
  const UniqueFd stop_;
  std::thread thread_;
};

}  // namespace

v1::ProxyEvidence CollectEvidence(Relay& relay, const std::string& to, int64_t started_ns) {
  v1::ProxyEvidence evidence = relay.ledger().Evidence();
  evidence.set_version(kVersion);
  evidence.set_listen(relay.listening_on());
  evidence.set_to(to);
  evidence.set_profile(relay.profile()->words);
  evidence.set_uptime_ns(NowNs() - started_ns);
  evidence.set_cpu_ns(CpuNs());
  return evidence;
}

absl::StatusOr<std::unique_ptr<Control>> Control::Start(const std::string& address, Relay* relay,
                                                        const std::string& to) {
  if (address.empty()) {
    return std::make_unique<ControlThread>(UniqueFd(), "", relay, to);
  }
  ASSIGN_OR_RETURN(UniqueFd listener, ListenForPeers(address));
  return std::make_unique<ControlThread>(std::move(listener), address, relay, to);
}

}  // namespace tare::proxy
