// Designs by rounds: what warming up looks like, and whether the difference of two arms still moved
// behind it (row 6 of the verdict table).
//
// Only where every process took kCourseSamplesMin samples (course.h) behind the warm-up; a process
// that takes one sample has no course to look at.

#ifndef TARE_COORDINATOR_ANALYSIS_WARM_UP_H_
#define TARE_COORDINATOR_ANALYSIS_WARM_UP_H_

#include <span>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// One a cell of a design by rounds; none of another design, and none of a cell without enough
// samples. Steadiness is judged of the comparisons that are the experiment's own.
std::vector<v1::WarmUpTable> MakeWarmUpTables(const RunData& data, const Rounds& rounds,
                                              std::span<const CellComparison> comparisons);

// That of a comparison in its cell; null where it was not judged.
const v1::Steadiness* FindSteadiness(
    const google::protobuf::RepeatedPtrField<v1::WarmUpTable>& tables,
    const v1::ReportComparison& comparison);

// The worst of all as one check of the run. A comparison that is not steady is refused by itself.
v1::IntegrityCheck CheckSteadiness(
    const google::protobuf::RepeatedPtrField<v1::WarmUpTable>& tables);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_WARM_UP_H_
