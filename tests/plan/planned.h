// Plans for tests, from experiment text.

#ifndef TARE_TESTS_PLAN_PLANNED_H_
#define TARE_TESTS_PLAN_PLANNED_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status.h"
#include "coordinator/experiment/experiment.h"
#include "coordinator/plan/plan.h"
#include "gtest/gtest.h"

namespace tare::coordinator {

// The experiment with its defaults; fails the test when it does not read.
inline v1::Experiment ExperimentOf(absl::string_view yaml) {
  auto experiment = ReadExperiment(yaml, "x.yaml");
  EXPECT_TRUE(experiment.ok()) << FormatError(experiment.status());
  if (!experiment.ok()) return {};
  ApplyDefaults(&*experiment);
  return *experiment;
}

// Two arms, then `more`.
inline v1::Experiment TwoArms(absl::string_view more) {
  return ExperimentOf(
      absl::StrCat("name: x\nworkload: { command: prog, config: { size: 1, kind: w } }\n"
                   "arms: { one: { config: { kind: a } }, two: { config: { extra: 2 } } }\n",
                   more));
}

inline v1::Plan PlanOf(const v1::Experiment& experiment, uint64_t seed = 1) {
  auto plan = MakePlan(experiment, seed);
  EXPECT_TRUE(plan.ok()) << FormatError(plan.status());
  return plan.ok() ? *plan : v1::Plan();
}

}  // namespace tare::coordinator

#endif  // TARE_TESTS_PLAN_PLANNED_H_
