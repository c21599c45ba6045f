// When each request is meant to be sent, decided before the first one is.
//
// An open loop sends at its times whether replies have come or not, so a slow server cannot slow
// the load down and hide what its users would wait. Pure functions, thread-safe; the same seed
// gives the same times.

#ifndef TARE_WORKLOADS_LOAD_SCHEDULE_H_
#define TARE_WORKLOADS_LOAD_SCHEDULE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "workloads/sdk/cpp/error.h"

namespace tare::load {

// A constant rate for some time.
struct RateStep {
  double rate = 0;  // a second
  int64_t duration_ns = 0;
};

// "500/s for 2s". The Error says what is accepted.
std::variant<sdk::Error, RateStep> ParseRateStep(const std::string& text);
inline constexpr size_t kRateStepsMax = 1'000;

// Nanoseconds since the start, ascending, one a request.
using SendTimes = std::vector<int64_t>;

// Request i at i / rate.
SendTimes ConstantTimes(double rate, int64_t count);

// A Poisson process: the gaps, the one before the first request too, are exponential with mean
// 1 / rate.
SendTimes PoissonTimes(double rate, int64_t count, uint64_t seed);

// Each step at its own constant rate from its own beginning; the last goes on until all requests
// are sent. An Error when they run out before the last step begins.
std::variant<sdk::Error, SendTimes> StepTimes(const std::vector<RateStep>& steps, int64_t count);

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_SCHEDULE_H_
