// One run from experiment to report: what `tare run`, `tare compare` and `tare-coordinator` share.
//
// Blocks until the run is over; one at a time in a process (it owns the signal handlers).

#ifndef TARE_COORDINATOR_CLI_RUN_EXPERIMENT_H_
#define TARE_COORDINATOR_CLI_RUN_EXPERIMENT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

struct RunRequest {
  // Defaults applied. Ignored when `resume` names a run.
  v1::Experiment experiment;
  std::optional<uint64_t> seed;  // drawn when absent
  std::string resume;            // a run of the store, or empty
  std::string store;             // path
  // Where to wait for an agent; empty: start one of our own.
  std::string listen;
  // Also write the report here as JSON; empty: do not.
  std::string json;
};

// Prints progress on stderr and the report on stdout; returns the exit code.
int RunExperiment(const RunRequest& request);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_RUN_EXPERIMENT_H_
