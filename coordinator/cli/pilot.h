// What a finished run tells about the next one of its kind: spreads and costs.
//
// Pure but for FindPilot, which reads the store.

#ifndef TARE_COORDINATOR_CLI_PILOT_H_
#define TARE_COORDINATOR_CLI_PILOT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/plan/run_size.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

struct Pilot {
  std::vector<PilotSpread> spreads;  // of every comparison of latencies, in the report's order
  PilotCost cost;
  std::string refusal;  // the code why the run was refused; empty when it was not
};

// That the experiment was not run yet: NotFound.
absl::Status NoPilotRun(const std::string& experiment);

// The newest complete run of the experiment. Errors: NoPilotRun when there is none.
absl::StatusOr<std::string> FindPilot(Store& store, const std::string& experiment);

// `report` is that of `data`. A process costs the time of its trial without its timed blocks, a set
// that of the timed blocks over their sets; of every cell and, in rounds, of every arm. Errors:
// FailedPrecondition when the run counted no round, compared no latencies, recorded no times, or
// asked about hosts like those that it used: more processes cannot make up for few hosts.
absl::StatusOr<Pilot> ReadPilot(const RunData& data, const v1::Report& report);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_PILOT_H_
