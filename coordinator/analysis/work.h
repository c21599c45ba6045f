// Did the arms do the work, the same work, and with the settings that were asked?
//
// Judged from what the measured process says of itself: operations, records, checksums and the
// settings that it echoed. A program that is fast because it did nothing fails here.

#ifndef TARE_COORDINATOR_ANALYSIS_WORK_H_
#define TARE_COORDINATOR_ANALYSIS_WORK_H_

#include <span>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/units.h"

namespace tare::coordinator {

// What the trial's processes say of an arm; null when none does.
const v1::ArmEvidence* EvidenceOf(const UsedTrial& trial, absl::string_view arm);

// `no-work`: an arm gave no evidence, counted no operation or fewer than were timed, or has neither
// records nor a checksum to show.
Finding CheckWorkDone(const v1::Plan& plan, const Rounds& rounds);

// `different-work`: the checksums of two compared arms differ in a unit; with a server, whose load
// is the same for both, also the numbers of operations. What a server did for an operation may
// differ: see work_count.h.
Finding CheckSameWork(std::span<const CellComparison> comparisons);

// `config-not-applied`: an arm did not echo a setting, or echoed another value.
// Not asked of it: the delay of a proxy.
Finding CheckConfigApplied(const RunData& data, const Rounds& rounds);

// One sentence when a load's requests failed, within what its `errors_max` allows.
std::vector<std::string> CountFailures(const Rounds& rounds);

// Whether a load sent its requests only when earlier ones had been answered: what a slow server
// makes the others wait is then not in their latency.
bool IsClosedLoop(const CellComparison& comparison);

// One sentence a comparison whose arms differ in a digest that may differ.
std::vector<std::string> CompareDigests(std::span<const CellComparison> comparisons);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_WORK_H_
