// What every function of this library asks of its input.
//
// Pure functions; safe to call from any thread.

#ifndef TARE_STATS_VALUES_H_
#define TARE_STATS_VALUES_H_

#include <cstddef>
#include <span>

#include "absl/status/status.h"

namespace tare::stats {

// Errors:
//   FailedPrecondition  fewer than `count_min` values.
//   InvalidArgument     a value is not finite.
absl::Status CheckValues(std::span<const double> values, size_t count_min);

// As CheckValues, and FailedPrecondition when all values are equal: a spread of zero makes every
// interval a point, which says something about the clock and nothing about the effect.
absl::Status CheckVaries(std::span<const double> values, size_t count_min);

}  // namespace tare::stats

#endif  // TARE_STATS_VALUES_H_
