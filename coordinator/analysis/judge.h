// Rows 2 to 10 and 15 of the verdict table: from the numbers of one comparison to its verdict.
//
// The rows are taken from the top: anything that refuses comes before anything that decides.

#ifndef TARE_COORDINATOR_ANALYSIS_JUDGE_H_
#define TARE_COORDINATOR_ANALYSIS_JUDGE_H_

#include <cstddef>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/carry_over.h"
#include "coordinator/analysis/units.h"
#include "stats/holm.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// The error rate of "a difference" over all comparisons and cells of the run together.
inline constexpr double kDifferenceAlpha = 0.05;

struct JudgeInput {
  const RunData& data;
  const CellComparison& comparison;
  const CarryOverFinding& carry_over;
  stats::HolmTest test;    // of this comparison, at kDifferenceAlpha
  size_t family_size = 1;  // comparisons × cells of the run
  double tick_ns = 0;      // per operation; 0: unknown
  bool is_run_refused = false;
};

// Sets verdict, refusals, flags and p of `report`, which holds the numbers and the results of the
// checks already.
void Judge(const JudgeInput& input, v1::ReportComparison* report);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_JUDGE_H_
