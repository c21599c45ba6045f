// Mean and standard deviation.
//
// For numbers that are independent of each other, such as one estimate a process; never for the
// samples inside a process, which are not.
//
// Pure functions; safe to call from any thread.

#ifndef TARE_STATS_MOMENTS_H_
#define TARE_STATS_MOMENTS_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

struct Moments {
  size_t count = 0;
  double mean = 0;
  double sd = 0;  // with count - 1 in the denominator
};

// Errors: those of CheckValues, with at least one value.
absl::StatusOr<double> Mean(std::span<const double> values);

// Errors: those of CheckValues, with at least two values.
absl::StatusOr<Moments> MomentsOf(std::span<const double> values);

}  // namespace tare::stats

#endif  // TARE_STATS_MOMENTS_H_
