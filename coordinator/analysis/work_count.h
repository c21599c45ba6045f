// What the processes counted while they worked: queries a request and the like.
//
// No check: a candidate may well do more work. That it does explains why it takes longer.

#ifndef TARE_COORDINATOR_ANALYSIS_WORK_COUNT_H_
#define TARE_COORDINATOR_ANALYSIS_WORK_COUNT_H_

#include <vector>

#include "coordinator/analysis/rounds.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Every counter of an arm's evidence that counts work of a server, which the load generator read
// before and after ("work_queries"), over the operations that it sent meanwhile
// ("work_operations"). By arm in the order of the plan, then by cell. None where no process
// counted.
std::vector<v1::WorkCount> CountWork(const v1::Plan& plan, const Rounds& rounds);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_WORK_COUNT_H_
