// The timed samples of one trial, per operation, warm-up left out.
//
// Pure; values only.

#ifndef TARE_COORDINATOR_ANALYSIS_SAMPLES_H_
#define TARE_COORDINATOR_ANALYSIS_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "tare/v1/plan.pb.h"

namespace tare::coordinator {

struct StepSamples {
  std::string name;
  std::vector<double> values_ns;
};

// All vectors have one entry a timed sample, in the order of measurement.
struct TimedSamples {
  std::vector<uint32_t> arms;      // index into Plan.arms
  std::vector<double> values_ns;   // per operation
  std::vector<double> applied_ns;  // known delay per operation; 0 where none passed
  std::vector<int32_t> blocks;     // that the sample is in
  std::vector<double> starts_ns;   // since the start of the block; empty where not recorded
  std::vector<StepSamples> steps;  // per operation, in the order in which they first appeared
  // Warm-up included; in lockstep only as far as every process has delivered.
  int64_t delivered_count = 0;

  std::vector<size_t> IndicesOf(uint32_t arm) const;
};

// In lockstep the samples of the processes are put into the order in which they were taken.
// InvalidArgument when the blocks contradict the plan: an arm that is not the planned one at its
// place, more samples than planned, columns of unequal length. Fewer samples are no error here.
absl::StatusOr<TimedSamples> ReadSamples(const v1::Plan& plan, const v1::Trial& planned,
                                         const TrialData& data);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_SAMPLES_H_
