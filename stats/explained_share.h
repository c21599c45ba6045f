// How much of the spread of some values their membership in groups explains.
//
// Pure function; safe to call from any thread.
// Source: one-way analysis of variance with the adjustment of Kelley, "An unbiased correlation
// ratio measure" (1935): without it many small groups explain much of pure noise.

#ifndef TARE_STATS_EXPLAINED_SHARE_H_
#define TARE_STATS_EXPLAINED_SHARE_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

// 1 - (within-group variance, n - groups degrees) / (total variance, n - 1 degrees), at least 0.
// `groups[i]` is the group of value i.
// Errors: those of CheckVaries with at least three values; InvalidArgument when the spans differ in
// length; FailedPrecondition when there is only one group or every value has its own.
absl::StatusOr<double> ExplainedShare(std::span<const double> values,
                                      std::span<const size_t> groups);

}  // namespace tare::stats

#endif  // TARE_STATS_EXPLAINED_SHARE_H_
