// The levels above the units of a run: which host each unit was measured on.
//
// Pure; thread-safe.

#ifndef TARE_COORDINATOR_ANALYSIS_LEVELS_H_
#define TARE_COORDINATOR_ANALYSIS_LEVELS_H_

#include <span>

#include "coordinator/analysis/units.h"

namespace tare::coordinator {

// Sets levels and scope of the comparisons, and the groups of their units. A host is a machine, by
// name and identity; a unit whose two processes ran on two hosts belongs to that pair of hosts. An
// unspecified scope is that of these hosts.
void AssignLevels(v1::Scope scope, std::span<CellComparison> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_LEVELS_H_
