// Row 1 of the verdict table: is this the run that was asked for, whole, and did it work?

#ifndef TARE_COORDINATOR_ANALYSIS_INTEGRITY_H_
#define TARE_COORDINATOR_ANALYSIS_INTEGRITY_H_

#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct Integrity {
  std::vector<v1::IntegrityCheck> checks;  // every check, run or not
  std::vector<v1::Refusal> refusals;       // any refuses the whole run; one a code
  std::vector<std::string> warnings;
};

// InvalidArgument when the plan gives a proxy a delay that is none.
absl::StatusOr<Integrity> CheckIntegrity(const RunData& data, const Rounds& rounds,
                                         std::span<const CellComparison> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_INTEGRITY_H_
