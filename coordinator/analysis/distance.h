// Which distance to the service would explain a latency that was seen elsewhere.

#ifndef TARE_COORDINATOR_ANALYSIS_DISTANCE_H_
#define TARE_COORDINATOR_ANALYSIS_DISTANCE_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "stats/line.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Fieller's interval over the replicates' lines of latency on the round trip's delay. Without them
// the text is the reason of their status. Extrapolated when the distance is beyond the applied
// delays of `levels`.
v1::Distance FindDistance(int64_t explained_ns,
                          const absl::StatusOr<std::vector<stats::Line>>& lines,
                          const google::protobuf::RepeatedPtrField<v1::RoundTripsLevel>& levels);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_DISTANCE_H_
