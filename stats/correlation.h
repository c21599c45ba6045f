// How closely two numbers of the same units go together.
//
// Pure function; safe to call from any thread.
// Source: Pearson's product-moment correlation (any textbook).

#ifndef TARE_STATS_CORRELATION_H_
#define TARE_STATS_CORRELATION_H_

#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// From -1 to 1. Errors: those of CheckVaries with at least three values, for each span;
// InvalidArgument when they differ in length.
absl::StatusOr<double> Correlation(std::span<const double> x, std::span<const double> y);

}  // namespace tare::stats

#endif  // TARE_STATS_CORRELATION_H_
