// Is it known what was measured, and is the one thing that differs the thing that is compared?

#ifndef TARE_COORDINATOR_ANALYSIS_IDENTITY_H_
#define TARE_COORDINATOR_ANALYSIS_IDENTITY_H_

#include <span>

#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/rounds.h"
#include "coordinator/analysis/units.h"

namespace tare::coordinator {

// `identity-missing`: a trial names no host, or a measured process (a workload, a server) no
// program; of a workload also its harness.
Finding CheckIdentity(const v1::Plan& plan, const Rounds& rounds);

// `more-than-one-variable`: two arms whose servers are compared were put under load by different
// programs, or the server of an arm is another program than in the round before. Not run without a
// server: there the arms themselves are what the experiment varies.
Finding CheckOneVariable(std::span<const CellComparison> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_IDENTITY_H_
