// The numbers of one metric of a comparison in one cell, whatever its verdict will be.

#ifndef TARE_COORDINATOR_ANALYSIS_NUMBERS_H_
#define TARE_COORDINATOR_ANALYSIS_NUMBERS_H_

#include <optional>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/metrics.h"
#include "coordinator/analysis/units.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Estimate, ratio, shares, medians, order effect, steps, placement and the flags that follow from
// them; of another metric than latency, which has one value a process, only estimate, ratio and
// values. What cannot be computed is absent.
v1::ReportComparison MakeNumbers(const RunData& data, const MetricComparison& measured);

// The robust sd of the set differences, which a clock's tick is held against: the median over the
// processes; in rounds over all differences together. Absent when no unit has two sets.
std::optional<double> SetDifferenceSpreadNs(const CellComparison& comparison, v1::Pairing pairing);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_NUMBERS_H_
