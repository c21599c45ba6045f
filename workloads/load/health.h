// Whether the load was what was asked for: the generator's own lateness, and what failed.
//
// Pure functions, thread-safe.

#ifndef TARE_WORKLOADS_LOAD_HEALTH_H_
#define TARE_WORKLOADS_LOAD_HEALTH_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "workloads/load/outcome.h"
#include "workloads/load/requests.h"
#include "workloads/load/settings.h"

namespace tare::load {

struct Health {
  int64_t requests = 0;
  // Between the intended time and the one at which the generator took a request up. Waiting for a
  // connection is not in it: that is the server's doing.
  int64_t lag_p50_ns = 0;
  int64_t lag_p99_ns = 0;
  // Requests a second: the schedule's, and what was sent by the schedule's beginning and the last
  // send. 0 of fewer than two requests; a closed loop asks for none.
  double rate_asked = 0;
  double rate_achieved = 0;
  // How late the last send was.
  int64_t last_late_ns = 0;
  int64_t waited = 0;                    // requests that found no idle connection
  std::array<int64_t, 5> failures = {};  // by Failure
  std::map<int, int64_t> statuses;       // of replies that failed
  size_t first_failed = 0;               // index into the outcomes, if any failed

  int64_t failed() const { return requests - failures[0]; }
};

// Of counted requests. All of them have ended.
Health Assess(std::span<const Outcome> counted, const Settings& settings);

// The part of the asked rate that must be achieved, in percent.
inline constexpr int kRatePercentMin = 98;

// "incomplete" when more requests failed than `errors_max`; `first` is the index of the first
// counted one among `requests`.
std::optional<sdk::Error> CheckFailures(const Health& health, std::span<const Outcome> counted,
                                        const Settings& settings, const Requests& requests,
                                        size_t first);

// "generator-behind" when an open loop did not keep its schedule: lag p99 above `lag_max`, or less
// than kRatePercentMin achieved by a last send that was later than `lag_max`.
std::optional<sdk::Error> CheckSchedule(const Health& health, const Settings& settings);

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_HEALTH_H_
