// What was run, on what and for how long: the part of the report that no statistic touches.

#ifndef TARE_COORDINATOR_ANALYSIS_RUN_FACTS_H_
#define TARE_COORDINATOR_ANALYSIS_RUN_FACTS_H_

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/rounds.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Sets design, counts, times, machines, services, proxies and programs of the report.
void DescribeRun(const RunData& data, const Rounds& rounds, v1::Report* report);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_RUN_FACTS_H_
