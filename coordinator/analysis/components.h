// Where the spread of a comparison arises: in the samples, between processes or rounds, between
// hosts.
//
// Describes and helps to plan; no verdict rests on it. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_ANALYSIS_COMPONENTS_H_
#define TARE_COORDINATOR_ANALYSIS_COMPONENTS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/analysis/metrics.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// "process", "round" or "host": what one value of the interval is.
absl::string_view UnitOfInference(const v1::Plan& plan, const CellComparison& comparison);

// The lowest level first. That of the sets (samples in designs without sets) only for latency, and
// where every unit has samples enough. Shares are of the variance that the mean over all units
// would have if every level were drawn anew, whatever the scope. Nothing when a level cannot be
// told from the next: one unit, or one process a host. Requires: the metric is a time.
std::vector<v1::VarianceComponent> MakeComponents(const v1::Plan& plan,
                                                  const MetricComparison& measured);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_COMPONENTS_H_
