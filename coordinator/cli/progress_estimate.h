// "The estimate so far", for the progress line of a run.
//
// Keeps the trials of this run in memory as they complete and analyses them again each time; costs
// milliseconds between two trials and nothing during one. Not thread-safe.

#ifndef TARE_COORDINATOR_CLI_PROGRESS_ESTIMATE_H_
#define TARE_COORDINATOR_CLI_PROGRESS_ESTIMATE_H_

#include <string>

#include "coordinator/analysis/analysis.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

class ProgressEstimate {
 public:
  ProgressEstimate(const v1::Experiment& experiment, const v1::Plan& plan, const std::string& run);

  // Takes a trial that has just been counted; returns one short line on the first comparison, such
  // as "rollback - copy +311 us [290, 332] plans=10", or empty while nothing can be said.
  std::string Update(Store& store, int32_t trial);

 private:
  RunData data_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_PROGRESS_ESTIMATE_H_
