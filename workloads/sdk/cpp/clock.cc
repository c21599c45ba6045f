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
  int64_t tick = 0;
  int64_t previous = 0;
  for (const int64_t step : steps) {
    const int64_t difference = step - previous;
    if (difference > 0 && (tick == 0 || difference < tick)) tick = difference;
    previous = step;
  }
  return tick;
}

}  // namespace tare::sdk
