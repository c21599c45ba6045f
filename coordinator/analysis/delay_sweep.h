// A proxy whose delay is varied: its cells in the order of their delays, and what an arm took in
// each.
//
// The unit is the replicate: the processes of one round, one at every delay. Its points share no
// process with those of another.

#ifndef TARE_COORDINATOR_ANALYSIS_DELAY_SWEEP_H_
#define TARE_COORDINATOR_ANALYSIS_DELAY_SWEEP_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/rounds.h"

namespace tare::coordinator {

struct DelayLevel {
  int64_t asked_ns = 0;  // a round trip
  const v1::Cell* cell = nullptr;
};

// One for each combination of the other factors. Points into the experiment and the plan.
struct DelaySweep {
  const v1::Service* proxy = nullptr;
  std::string other_levels;        // "plans=40"; empty when the delay is the only factor
  std::vector<DelayLevel> levels;  // by delay, shortest first
};

// In the order of proxies, then of the plan's cells. InvalidArgument as of AskedDelayNs.
absl::StatusOr<std::vector<DelaySweep>> FindDelaySweeps(const RunData& data);

// One arm in one trial.
struct DelayPoint {
  size_t level = 0;       // index into DelaySweep.levels
  double applied_ns = 0;  // a round trip
  double latency_ns = 0;  // median, per operation
};

struct DelayPoints {
  std::map<int32_t, std::vector<DelayPoint>> replicates;  // by round
  std::vector<const UsedTrial*> trials;                   // in which the arm ran
  // A trial in which the proxy recorded no delay, so that its point is not known; empty: none.
  std::string unrecorded;
};

// `tick_ns` as in GroupedMedian. Points with unknown delay are left out.
absl::StatusOr<DelayPoints> MeasureDelays(const DelaySweep& sweep, uint32_t arm,
                                          const v1::Plan& plan, const Rounds& rounds,
                                          double tick_ns);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_DELAY_SWEEP_H_
