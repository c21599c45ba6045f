// (experiment, seed) → ordered trials, before anything runs.
//
// Pure functions, thread-safe. The same input gives the same bytes on every machine: randomness is
// base/random, never the standard library's.

#ifndef TARE_COORDINATOR_PLAN_PLAN_H_
#define TARE_COORDINATOR_PLAN_PLAN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tare/v1/plan.pb.h"

namespace tare::coordinator {

inline constexpr int32_t kPlanFormat = 1;
inline constexpr int64_t kTrialsMax = 100'000;
inline constexpr int64_t kSamplesPerTrialMax = 50'000'000;
inline constexpr int64_t kSamplesMax = 100'000'000;  // of all trials: the plan lists every one

// Requires: `experiment` is valid and has its defaults applied.
// InvalidArgument when the plan would have more than kTrialsMax trials or kSamplesMax samples, or a
// trial more than kSamplesPerTrialMax.
absl::StatusOr<v1::Plan> MakePlan(const v1::Experiment& experiment, uint64_t seed);

// What an agent needs for trial `trial` of the plan, except `is_first`, which depends on what has
// been run already. Requires: 0 <= trial < trials of the plan.
v1::TrialSpec MakeTrialSpec(const v1::Experiment& experiment, const v1::Plan& plan, int32_t trial);

// The plan as serialised for the store: deterministic bytes.
std::string SerializePlan(const v1::Plan& plan);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_PLAN_H_
