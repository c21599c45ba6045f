// What a percentile bootstrap says of a median, without resampling.
//
// The interval of a tool that takes every sample for independent: with many samples of a few
// processes it is far too narrow (73 % or 34 % instead of 95 %, with the process spread of the
// published study). It is shown beside an interval over processes and decides nothing.
//
// Pure function; safe to call from any thread.
// Source: Efron, "Bootstrap methods: another look at the jackknife" (1979), section 3: the h-th
// smallest of n draws with replacement is at most x(k) exactly when h draws are among the k
// smallest values, so with the probability that a binomial of n and k/n is at least h.

#ifndef TARE_STATS_RESAMPLED_MEDIAN_H_
#define TARE_STATS_RESAMPLED_MEDIAN_H_

#include <span>

#include "absl/status/statusor.h"
#include "stats/t_interval.h"

namespace tare::stats {

// The limits that resampling the values endlessly would give, and their own median. The median of
// an even number of values is the upper one of the two in the middle. Logarithmic in the number of
// values. Requires: the values ascend.
// Errors: those of CheckValues with at least one value, which takes one pass; InvalidArgument when
// the confidence is not strictly between 0 and 1.
absl::StatusOr<Interval> ResampledMedianInterval(std::span<const double> sorted, double confidence);

}  // namespace tare::stats

#endif  // TARE_STATS_RESAMPLED_MEDIAN_H_
