// Rows 2 to 9 of the verdict table, then its decision: from the numbers of one comparison to its
// verdict.
//
// The rows are taken from the top: anything that refuses comes before anything that decides.

#ifndef TARE_COORDINATOR_ANALYSIS_JUDGE_H_
#define TARE_COORDINATOR_ANALYSIS_JUDGE_H_

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/carry_over.h"
#include "coordinator/analysis/decide.h"
#include "coordinator/analysis/look.h"
#include "coordinator/analysis/metrics.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct JudgeInput {
  const RunData& data;
  const MetricComparison& measured;
  const CarryOverFinding& carry_over;
  const Decision& decision;
  const Look& look;
  const v1::Steadiness* steadiness = nullptr;  // null: not judged
  double tick_ns = 0;                          // per operation; 0: unknown
  bool is_run_refused = false;
};

// Sets verdict, refusals, flags and p of `report`, which holds the numbers and the results of the
// checks already.
void Judge(const JudgeInput& input, v1::ReportComparison* report);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_JUDGE_H_
