// The services of a trial: which it needs, in which order, and how far away they are.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_PLAN_PLANNED_SERVICES_H_
#define TARE_COORDINATOR_PLAN_PLANNED_SERVICES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/plan.pb.h"

namespace tare::coordinator {

// True when the factor of this name is not a setting but the delay of a proxy, SERVICE.delay.
bool IsDelayFactor(const v1::Experiment& experiment, absl::string_view factor);

// Adds the services that the trial's roles need, and those that these need themselves: each after
// what it needs, otherwise in file order. A proxy has the delay of its level in `cell`.
void AddServices(const v1::Experiment& experiment, const v1::Cell& cell, v1::TrialSpec* spec);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_PLANNED_SERVICES_H_
