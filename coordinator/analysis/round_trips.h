// Row 21 of the verdict table: how often an operation goes to a service and back.
//
// Known in two ways that share nothing but the proxy: it counts the turns that pass, and the
// latency grows by the delay as often as an operation waits for it. Together they say whether the
// delay was met as often as the code seems to ask.

#ifndef TARE_COORDINATOR_ANALYSIS_ROUND_TRIPS_H_
#define TARE_COORDINATOR_ANALYSIS_ROUND_TRIPS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/rounds.h"
#include "coordinator/analysis/units.h"

namespace tare::coordinator {

// Two or one of anything lie on a line.
inline constexpr size_t kDelayLevelsMin = 3;

// A wider interval could hold two numbers of round trips.
inline constexpr double kSlopeWidthMax = 0.5;

// Counting and slope agree up to this many round trips: more means that one operation in ten goes
// once more, or once less, than the median one.
inline constexpr double kCountGapMax = 0.1;

// One entry for each arm of the experiment that goes through a proxy whose delay is swept, and each
// combination of the other factors. `is_run_refused`: numbers only, nothing is concluded.
// InvalidArgument as of AskedDelayNs.
absl::StatusOr<std::vector<v1::RoundTrips>> FindRoundTrips(
    const RunData& data, const Rounds& rounds, std::span<const CellComparison> comparisons,
    bool is_run_refused);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_ROUND_TRIPS_H_
