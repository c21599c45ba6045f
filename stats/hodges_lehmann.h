// The Hodges-Lehmann estimate with its exact signed-rank interval.
//
// A cross-check of the t interval that assumes symmetry and not normality. It exists at 95 % from
// six values on; it never decides a verdict.
//
// Pure function; safe to call from any thread.
// Source: Hodges and Lehmann, "Estimates of location based on rank tests" (1963). The interval is
// [W(k), W(M + 1 - k)] of the M = n(n+1)/2 sorted Walsh averages, k the number of w with
// P(W <= w) <= (1 - confidence)/2 under the exact distribution of the signed-rank statistic.

#ifndef TARE_STATS_HODGES_LEHMANN_H_
#define TARE_STATS_HODGES_LEHMANN_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// Time and memory grow with the square of the count.
inline constexpr size_t kHodgesLehmannValuesMax = 200;

struct HodgesLehmannEstimate {
  double value = 0;  // median of the Walsh averages
  double low = 0;
  double high = 0;
  size_t rank = 0;      // k
  double coverage = 0;  // exact; at least the confidence asked for
};

// Errors: those of CheckVaries with at least two values; FailedPrecondition when the confidence
// cannot be reached with so few; ResourceExhausted above kHodgesLehmannValuesMax; InvalidArgument
// when the confidence is not strictly between 0 and 1.
absl::StatusOr<HodgesLehmannEstimate> HodgesLehmann(std::span<const double> values,
                                                    double confidence);

}  // namespace tare::stats

#endif  // TARE_STATS_HODGES_LEHMANN_H_
