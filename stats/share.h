// How often something happens, from k times in n.
//
// For n independent trials, such as processes or whole runs; never for the samples of a process.
//
// Pure functions; safe to call from any thread.

#ifndef TARE_STATS_SHARE_H_
#define TARE_STATS_SHARE_H_

#include <cstddef>

#include "absl/status/statusor.h"
#include "stats/t_interval.h"

namespace tare::stats {

// The true share is at least this, with this confidence: the exact one-sided bound. Ten of ten give
// 0.74 at 95 %, so "all saw it" is weaker than it sounds.
// Source: Clopper and Pearson, "The use of confidence or fiducial limits" (1934).
// Errors of both: InvalidArgument when n is 0, k above n, or the confidence outside (0, 1).
absl::StatusOr<double> ShareLowerLimit(size_t k, size_t n, double confidence);

// k/n and its two-sided score interval, which does not collapse at 0 or n.
// Source: E. B. Wilson, "Probable inference" (1927).
absl::StatusOr<Interval> WilsonInterval(size_t k, size_t n, double confidence);

}  // namespace tare::stats

#endif  // TARE_STATS_SHARE_H_
