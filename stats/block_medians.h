// How far the median of a series could be off, from the series alone.
//
// Successive samples of a process depend on each other, so their number says little about the error
// of their median. Medians of a few long blocks feel that dependence. For planning and for shares
// of the spread, never for a verdict: with strong dependence over more than a block it is too
// small.
//
// Pure function; safe to call from any thread.
// Source: batch means (any textbook on simulation), with medians.

#ifndef TARE_STATS_BLOCK_MEDIANS_H_
#define TARE_STATS_BLOCK_MEDIANS_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"

namespace tare::stats {

inline constexpr size_t kBlocksMin = 6;
inline constexpr size_t kBlocksMax = 10;
inline constexpr size_t kBlockSamplesMin = 5;

// The square of the standard error of the median: the variance of the (grouped) medians of 6 to 10
// successive blocks over their number; as many blocks as have kBlockSamplesMin values each. `tick`
// as in GroupedMedian. With `strata`, one a value, it is that of the mean of the strata's medians.
// Errors: those of CheckValues with at least kBlocksMin · kBlockSamplesMin values, and of
// GroupedMedian; InvalidArgument when the spans differ in length; FailedPrecondition when fewer
// than kBlocksMin blocks have all strata: others are passed over.
absl::StatusOr<double> SquaredErrorOfMedian(std::span<const double> values,
                                            std::span<const size_t> strata, double tick);

}  // namespace tare::stats

#endif  // TARE_STATS_BLOCK_MEDIANS_H_
