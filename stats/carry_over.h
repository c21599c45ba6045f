// What a sample of one arm does to the sample after it, and the difference of two arms without it.
//
// A sample that follows a slow one finds the machine in another state. Comparing only samples that
// have the same predecessor takes that out. In designs with sets only the first sample of each set
// may be given: in a pair the second one always follows the other arm, so for it predecessor and
// position cannot be told apart.
//
// Pure functions; safe to call from any thread.
// Source: the crossover design with first-order carry-over (E. J. Williams, Australian Journal of
// Scientific Research A 2, 1949), with grouped medians in place of means.

#ifndef TARE_STATS_CARRY_OVER_H_
#define TARE_STATS_CARRY_OVER_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::stats {

// The samples of two arms that follow a sample of one given arm.
struct SamplesAfter {
  std::vector<double> baseline;
  std::vector<double> candidate;
};

// The mean over predecessors q of median(candidate | q) - median(baseline | q): unbiased by what
// came before. With q = baseline and candidate it is the carry-over-free estimate of a random
// order, with all arms of the plan the estimate of a balanced one.
// Errors: FailedPrecondition without a predecessor; those of CheckValues with at least kStratumMin
// values in each stratum, and of GroupedMedian.
absl::StatusOr<double> DifferenceAfterSame(std::span<const SamplesAfter> predecessors, double tick);

struct CarryOver {
  double on_baseline = 0;  // median(baseline | after candidate) - median(baseline | after baseline)
  double on_candidate = 0;  // the same on the candidate
  double mean = 0;
};

// Errors: as DifferenceAfterSame.
absl::StatusOr<CarryOver> EstimateCarryOver(const SamplesAfter& after_baseline,
                                            const SamplesAfter& after_candidate, double tick);

}  // namespace tare::stats

#endif  // TARE_STATS_CARRY_OVER_H_
