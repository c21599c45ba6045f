// A plan for people: what `tare plan` prints.
//
// Pure function, thread-safe.

#ifndef TARE_COORDINATOR_PLAN_FORMAT_H_
#define TARE_COORDINATOR_PLAN_FORMAT_H_

#include <string>

#include "coordinator/plan/forecast.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/plan.pb.h"

namespace tare::coordinator {

// What will be done, in how much time, what it can see, and the first trials; at most 80 columns
// wide unless a single word is longer.
std::string FormatPlan(const v1::Plan& plan, const v1::Experiment& experiment,
                       const Forecast& forecast);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_FORMAT_H_
