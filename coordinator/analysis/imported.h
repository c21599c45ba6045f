// What cannot be said of data that tare did not measure, and what must be said of it instead.

#ifndef TARE_COORDINATOR_ANALYSIS_IMPORTED_H_
#define TARE_COORDINATOR_ANALYSIS_IMPORTED_H_

#include <string>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/finding.h"

namespace tare::coordinator {

// The checks of work, settings and identity: not run.
std::vector<Finding> FindingsOfImported();

// What the files leave open. Empty for a run of tare's own.
std::vector<std::string> WarningsOfImported(const RunData& data);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_IMPORTED_H_
