// What a sample of the candidate does to the next sample, and whether that decides the verdict.

#ifndef TARE_COORDINATOR_ANALYSIS_CARRY_OVER_H_
#define TARE_COORDINATOR_ANALYSIS_CARRY_OVER_H_

#include <vector>

#include "coordinator/analysis/metrics.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct CarryOverFinding {
  v1::CarryOver report;  // WARNED when named
  bool is_named = false;
  std::vector<double> free_differences_ns;  // of the processes that could say
};

// Named when the 99 % t interval over processes of the carry-over, or of the gap between the
// estimate without it and the paired one, excludes zero. NOT_RUN in rounds, which other metrics
// than latency need, in a fixed or blocked
// order, and when fewer than kUnitsForIntervalMin processes have enough samples of every kind.
CarryOverFinding FindCarryOver(const MetricComparison& measured, const v1::Plan& plan);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_CARRY_OVER_H_
