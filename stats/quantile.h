// Quantiles of the values as they are.
//
// Not for values on the lattice of a coarse clock: see grouped_median.h.
//
// Pure functions; safe to call from any thread.

#ifndef TARE_STATS_QUANTILE_H_
#define TARE_STATS_QUANTILE_H_

#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// sorted[min(n - 1, floor(q n))]: always one of the values.
// Errors: those of CheckValues with at least one value; InvalidArgument when q is outside [0, 1].
absl::StatusOr<double> Quantile(std::span<const double> values, double q);

// The middle value, or the mean of the two middle ones.
// Errors: those of CheckValues with at least one value.
absl::StatusOr<double> Median(std::span<const double> values);

}  // namespace tare::stats

#endif  // TARE_STATS_QUANTILE_H_
