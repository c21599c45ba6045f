// The interval that one process gives of itself, from the medians of successive blocks.
//
// It describes that process, not the processes that there could be. Successive samples depend on
// each other, which blocks feel and a bootstrap of samples does not: with strong dependence the
// bootstrap covers 41 % where ten blocks cover 71 %, without any both cover 95 %.
//
// Pure function; safe to call from any thread.
// Source: batch means (any textbook on simulation), with medians and Student's t.

#ifndef TARE_STATS_BLOCK_INTERVAL_H_
#define TARE_STATS_BLOCK_INTERVAL_H_

#include <cstddef>
#include <span>

#include "absl/status/statusor.h"
#include "stats/t_interval.h"

namespace tare::stats {

// The t interval of the medians of `blocks` successive blocks, as equal as they can be.
// Errors: those of CheckValues with at least one value a block, and of TInterval for the medians;
// InvalidArgument for fewer than two blocks.
absl::StatusOr<Interval> BlockInterval(std::span<const double> values, size_t blocks,
                                       double confidence);

}  // namespace tare::stats

#endif  // TARE_STATS_BLOCK_INTERVAL_H_
