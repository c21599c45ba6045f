#include "workloads/load/work_counters.h"

#include <poll.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "workloads/load/connection.h"
#include "workloads/load/requests.h"
#include "workloads/sdk/cpp/clock.h"

namespace tare::load {
namespace {

using Progress = Connection::Progress;

// Takes one step after the other, and polls for `events` while a step is pending.
class Exchange {
 public:
  Exchange(Connection* connection, int64_t timeout_ns)
      : connection_(connection), deadline_ns_(sdk::ClockNs() + timeout_ns) {}

  template <typename Step>
  bool Finish(Progress progress, short events, Step step) {
    while (progress == Progress::kPending) {
      const int64_t left_ms = (deadline_ns_ - sdk::ClockNs()) / 1'000'000;
      pollfd waited = {connection_->fd(), events, 0};
      if (left_ms <= 0 || poll(&waited, 1, static_cast<int>(left_ms)) == 0) {
        reason_ = "no reply in time";
        return false;
      }
      progress = step();
    }
    if (progress == Progress::kDone) return true;
    reason_ = connection_->what();
    if (connection_->error_number() != 0) {
      reason_ += std::string(": ") + std::strerror(connection_->error_number());
    }
    return false;
  }
  const std::string& reason() const { return reason_; }

 private:
  Connection* connection_;
  int64_t deadline_ns_;
  std::string reason_;
};

// Empty when all went well, and `body` is there; else why not.
std::string Get(const Address& server, const std::string& path, int64_t timeout_ns,
                std::string* body) {
  Connection connection(body);
  Exchange exchange(&connection, timeout_ns);
  const std::string message = MakeGet(server, path);
  const bool is_done = exchange.Finish(connection.Open(server), POLLOUT, [&] {
    return connection.FinishOpen();
  }) && exchange.Finish(connection.Send(message, /*is_head=*/false), POLLOUT, [&] {
    return connection.SendMore();
  }) && exchange.Finish(Progress::kPending, POLLIN, [&] { return connection.Receive(); });
  if (!is_done) return exchange.reason();
  if (connection.status() / 100 != 2) return "HTTP " + std::to_string(connection.status());
  return "";
}

std::optional<WorkCounters> ParseCounters(const std::string& body) {
  const auto object = nlohmann::ordered_json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object() || object.empty() || object.size() > kWorkCountersMax) return {};
  WorkCounters counters;
  for (const auto& [name, value] : object.items()) {
    if (!value.is_number_integer()) return std::nullopt;
    counters.emplace_back(name, value.template get<int64_t>());
  }
  return counters;
}

}  // namespace

std::variant<sdk::Error, WorkCounters> ReadWorkCounters(const Address& server,
                                                        const std::string& path,
                                                        int64_t timeout_ns) {
  std::string body;
  const std::string what = "the server's work counters at '" + path + "'";
  const std::string reason = Get(server, path, timeout_ns, &body);
  if (!reason.empty()) return sdk::Error{what + " cannot be read", reason, ""};
  auto counters = ParseCounters(body);
  if (counters.has_value()) return *std::move(counters);
  return sdk::Error{
      what + " are not a JSON object of 1 to " + std::to_string(kWorkCountersMax) + " integers",
      "the reply begins with: " + body.substr(0, 80), ""};
}

std::variant<sdk::Error, WorkCounters> Subtract(const WorkCounters& after,
                                                const WorkCounters& before) {
  const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (!std::equal(after.begin(), after.end(), before.begin(), before.end(), same_name)) {
    return sdk::Error{"the server's work counters changed their names during the load",
                      "there were " + std::to_string(before.size()) + " before and " +
                          std::to_string(after.size()) + " after",
                      ""};
  }
  WorkCounters added = after;
  for (size_t i = 0; i < added.size(); ++i) added[i].second -= before[i].second;
  return added;
}

}  // namespace tare::load
