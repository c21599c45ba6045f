#include "workloads/sdk/cpp/clock.h"

#include <algorithm>
#include <vector>

namespace tare::sdk {

int64_t MeasureTickNs() {
  std::vector<int64_t> steps(kTickReads);
  int64_t last = ClockNs();
  for (int64_t& step : steps) {
    const int64_t now = ClockNs();
    step = now - last;
    last = now;
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  if (steps.size() == 1) return steps.front();
  if (steps.front() == 0) return steps[1];
  int64_t tick_ns = steps.front();
  for (size_t i = 1; i < steps.size(); ++i) {
    tick_ns = std::min(tick_ns, steps[i] - steps[i - 1]);
  }
  return tick_ns;
}

}  // namespace tare::sdk
