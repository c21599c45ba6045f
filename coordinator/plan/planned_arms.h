// The arms of a plan: those of the experiment and those that its checks add.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_PLAN_PLANNED_ARMS_H_
#define TARE_COORDINATOR_PLAN_PLANNED_ARMS_H_

#include "tare/v1/experiment.pb.h"
#include "tare/v1/plan.pb.h"

namespace tare::coordinator {

// Adds arms and comparisons: subjects, then for each distinct baseline a control, then (in process)
// a known-delay arm. They are named `control` and `known-delay`; with several baselines
// `control-of-<baseline>`. A lone arm is the baseline of its control.
void AddArms(const v1::Experiment& experiment, v1::Plan* plan);

// Sets `value` in place of the setting of its name, or at the end.
void ReplaceSetting(const v1::ConfigValue& value,
                    google::protobuf::RepeatedPtrField<v1::ConfigValue>* config);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_PLANNED_ARMS_H_
