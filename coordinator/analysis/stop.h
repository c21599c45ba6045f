// May a run end before its last round?
//
// Pure; thread-safe.

#ifndef TARE_COORDINATOR_ANALYSIS_STOP_H_
#define TARE_COORDINATOR_ANALYSIS_STOP_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"

namespace tare::coordinator {

struct StopDecision {
  bool should_stop = false;
  int32_t look = 0;    // number of the planned look, from 1; 0 when open-ended
  std::string reason;  // one sentence when it should
};

// Looks at what there is after a round that the plan names as a look: stops when every comparison
// is decided. `data` is not final. Errors: those of Analyse.
absl::StatusOr<StopDecision> DecideStop(const RunData& data);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_STOP_H_
