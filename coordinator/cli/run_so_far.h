// A run while it is measured: the estimate so far, and whether it may end.
//
// Keeps the counted trials in memory and analyses them again between two trials, at a cost of
// milliseconds; nothing during one. Not thread-safe.

#ifndef TARE_COORDINATOR_CLI_RUN_SO_FAR_H_
#define TARE_COORDINATOR_CLI_RUN_SO_FAR_H_

#include <cstdint>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/stop.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

class RunSoFar {
 public:
  RunSoFar(const v1::Experiment& experiment, const v1::Plan& plan, const std::string& run);

  // Takes a trial that is counted. Errors: the store's.
  absl::Status Add(Store& store, int32_t trial);

  // One short line on the first comparison, such as "rollback - copy +311 us [290, 332] plans=10",
  // or empty while nothing can be said.
  std::string Estimate() const;

  // Whether the plan lets the run end here. It looks only after the rounds that the plan names, and
  // after each of them once.
  absl::StatusOr<StopDecision> Look();

  // Rounds of which all trials are counted, from the first one on.
  int32_t rounds_complete() const;

 private:
  RunData data_;
  std::set<int32_t> counted_;
  int32_t rounds_looked_at_ = 0;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_RUN_SO_FAR_H_
