// Ratios of two arms on the log scale, and whether successive ones depend on each other.
//
// With processes that could be exchanged the log ratio of two arms is symmetric even where each arm
// is skewed, which is what the t interval over rounds rests on; exp() brings it back.
//
// Pure functions; safe to call from any thread.

#ifndef TARE_STATS_LOG_RATIO_H_
#define TARE_STATS_LOG_RATIO_H_

#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// log(candidate / baseline). InvalidArgument unless both are finite and above zero.
absl::StatusOr<double> LogRatio(double baseline, double candidate);

// The lag-1 autocorrelation of values in time order; beyond ±2/√n they are not independent.
// Errors: those of CheckVaries with at least three values.
absl::StatusOr<double> Lag1Autocorrelation(std::span<const double> values);

}  // namespace tare::stats

#endif  // TARE_STATS_LOG_RATIO_H_
