#include "workloads/load/health.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "workloads/load/quantity.h"

namespace tare::load {
namespace {

constexpr double kSecondNs = 1e9;

// The smallest value that at least `percent` of all do not exceed.
int64_t QuantileNs(std::vector<int64_t> values, size_t percent) {
  if (values.empty()) return 0;
  const size_t at = (values.size() * percent + 99) / 100 - 1;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

double RateOf(int64_t count, int64_t span_ns) {
  if (count < 2 || span_ns <= 0) return 0;
  return static_cast<double>(count - 1) * kSecondNs / static_cast<double>(span_ns);
}

std::string CountOf(int64_t count, const std::string& what) {
  return std::to_string(count) + " x " + what;
}

std::string CountsByKind(const Health& health) {
  std::string text;
  const auto add = [&text](int64_t count, const std::string& what) {
    if (count == 0) return;
    if (!text.empty()) text += ", ";
    text += CountOf(count, what);
  };
  for (const auto& [status, count] : health.statuses) {
    add(count, "HTTP " + std::to_string(status));
  }
  const auto of = [&health](Failure failure) {
    return health.failures[static_cast<size_t>(failure)];
  };
  add(of(Failure::kTimeout), "timeout");
  add(of(Failure::kRefused), "connection refused");
  add(of(Failure::kBroken), "connection broken");
  return text;
}

std::string Explain(const Outcome& outcome) {
  if (outcome.failure == Failure::kHttp) return "HTTP " + std::to_string(outcome.code);
  std::string text = outcome.what;
  if (outcome.code != 0) text += std::string(": ") + std::strerror(outcome.code);
  return text;
}

}  // namespace

Health Assess(std::span<const Outcome> counted, const Settings& settings) {
  Health health;
  health.requests = static_cast<int64_t>(counted.size());
  std::vector<int64_t> lags_ns;
  int64_t sent = 0;
  int64_t last_sent_ns = 0;
  for (size_t i = 0; i < counted.size(); ++i) {
    const Outcome& outcome = counted[i];
    lags_ns.push_back(outcome.taken_ns - outcome.intended_ns);
    last_sent_ns = std::max(last_sent_ns, outcome.sent_ns);
    if (outcome.sent_ns >= 0) ++sent;
    if (outcome.sent_ns != outcome.taken_ns) ++health.waited;
    ++health.failures[static_cast<size_t>(outcome.failure)];
    if (outcome.failure == Failure::kHttp) ++health.statuses[outcome.code];
  }
  const auto first_failed =
      std::find_if(counted.begin(), counted.end(),
                   [](const Outcome& outcome) { return outcome.failure != Failure::kNone; });
  health.first_failed = static_cast<size_t>(first_failed - counted.begin());
  health.lag_p50_ns = QuantileNs(lags_ns, 50);
  health.lag_p99_ns = QuantileNs(lags_ns, 99);
  if (counted.empty()) return health;
  const int64_t begun_ns = counted.front().intended_ns;
  health.rate_achieved = RateOf(sent, last_sent_ns - begun_ns);
  if (settings.is_closed) return health;
  health.rate_asked = RateOf(health.requests, counted.back().intended_ns - begun_ns);
  health.last_late_ns = std::max<int64_t>(0, last_sent_ns - counted.back().intended_ns);
  return health;
}

std::optional<sdk::Error> CheckFailures(const Health& health, std::span<const Outcome> counted,
                                        const Settings& settings, const Requests& requests,
                                        size_t first) {
  if (health.failed() <= settings.errors_max) return std::nullopt;
  const size_t example = health.first_failed;
  return sdk::Error{std::to_string(health.failed()) + " of " + std::to_string(health.requests) +
                        " requests failed: " + CountsByKind(health),
                    "the first was request " + std::to_string(first + example) + ", " +
                        requests.Describe(first + example) + ": " + Explain(counted[example]) +
                        "; errors_max is " + std::to_string(settings.errors_max),
                    "incomplete"};
}

std::optional<sdk::Error> CheckSchedule(const Health& health, const Settings& settings) {
  if (settings.is_closed) return std::nullopt;
  const std::string code = "generator-behind";
  if (health.lag_p99_ns > settings.lag_max_ns) {
    return sdk::Error{
        "the generator was late: send lag p99 " + FormatNs(health.lag_p99_ns) + ", limit " +
            FormatNs(settings.lag_max_ns),
        "give it a CPU of its own, or lower 'rate'; p50 was " + FormatNs(health.lag_p50_ns), code};
  }
  const bool is_slow = health.rate_achieved * 100 < health.rate_asked * kRatePercentMin &&
                       health.last_late_ns > settings.lag_max_ns;
  if (!is_slow) return std::nullopt;
  return sdk::Error{"the schedule was not kept: " + FormatRate(health.rate_achieved) + " of " +
                        FormatRate(health.rate_asked) + " were sent, limit " +
                        std::to_string(kRatePercentMin) + " %",
                    std::to_string(health.waited) + " of " + std::to_string(health.requests) +
                        " requests waited for one of " + std::to_string(settings.connections_max) +
                        " connections; raise 'connections', or lower 'rate'",
                    code};
}

}  // namespace tare::load
