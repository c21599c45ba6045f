#include "workloads/load/schedule.h"

#include <cmath>

#include "workloads/load/quantity.h"
#include "workloads/load/random.h"

namespace tare::load {
namespace {

constexpr double kSecondNs = 1e9;
constexpr uint64_t kGapStream = 1;

int64_t OffsetNs(int64_t i, double rate) {
  return std::llround(static_cast<double>(i) * kSecondNs / rate);
}

}  // namespace

std::variant<sdk::Error, RateStep> ParseRateStep(const std::string& text) {
  const std::string separator = " for ";
  const size_t at = text.find(separator);
  if (at != std::string::npos) {
    const auto rate = ParseRate(text.substr(0, at));
    const auto duration_ns = ParseDurationNs(text.substr(at + separator.size()));
    if (rate.has_value() && duration_ns.value_or(0) > 0) return RateStep{*rate, *duration_ns};
  }
  return sdk::Error{"'" + text + "' is not a step", "expected such as '500/s for 2s'", ""};
}

SendTimes ConstantTimes(double rate, int64_t count) {
  SendTimes times;
  times.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) times.push_back(OffsetNs(i, rate));
  return times;
}

SendTimes PoissonTimes(double rate, int64_t count, uint64_t seed) {
  SendTimes times;
  times.reserve(static_cast<size_t>(count));
  Random random(seed, kGapStream);
  double time_ns = 0;
  for (int64_t i = 0; i < count; ++i) {
    time_ns -= std::log1p(-random.Uniform()) * kSecondNs / rate;
    times.push_back(std::llround(time_ns));
  }
  return times;
}

std::variant<sdk::Error, SendTimes> StepTimes(const std::vector<RateStep>& steps, int64_t count) {
  SendTimes times;
  times.reserve(static_cast<size_t>(count));
  int64_t begun_ns = 0;
  size_t step = 0;
  for (int64_t i = 0; static_cast<int64_t>(times.size()) < count; ++i) {
    const int64_t offset_ns = OffsetNs(i, steps[step].rate);
    if (offset_ns < steps[step].duration_ns || step + 1 == steps.size()) {
      times.push_back(begun_ns + offset_ns);
      continue;
    }
    begun_ns += steps[step].duration_ns;
    ++step;
    i = -1;
  }
  if (step + 1 == steps.size()) return times;
  return sdk::Error{"the requests run out in step " + std::to_string(step + 1) + " of " +
                        std::to_string(steps.size()),
                    std::to_string(count) + " samples were asked for; ask for more, or drop steps",
                    ""};
}

}  // namespace tare::load
