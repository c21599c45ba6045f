// Where do processes become steady, and are they steady from there on?
//
// From the block table: for each process, or round, one number a block in the order of time, log
// medians or differences of them. Not over processes pooled: their levels differ, so they are
// averaged block by block. Steady is shown, never assumed: where the noise hides a drift of the
// tolerance the answer is unresolved, as it mostly is from one process. Changes in the last three
// blocks cannot be seen, and a cycle reads as unresolved.
//
// Pure function; safe to call from any thread.
// Source: Jackson et al., "An algorithm for optimal partitioning of data on an interval" (2005),
// whose answer PELT (Killick, Fearnhead and Eckley, 2012) finds faster; White, "An effective
// truncation heuristic for bias reduction in simulation output" (1997) for MSER; Schuirmann (1987)
// for the test of equivalence.

#ifndef TARE_STATS_WARM_UP_H_
#define TARE_STATS_WARM_UP_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::stats {

// With fewer the answer is unresolved.
inline constexpr size_t kWarmUpBlocksMin = 20;
inline constexpr size_t kWarmUpBlocksMax = 10'000;

enum class Steadiness { kUnresolved, kSteady, kNotSteady };

struct WarmUp {
  Steadiness steadiness = Steadiness::kUnresolved;
  // The first block that is not warm-up.
  size_t start = 0;
  // Mean of the last third of the blocks from `start` on, less that of the first third. Absent
  // where too few blocks are left for it, or in all.
  std::optional<double> drift;
  // The smallest tolerance at which these blocks would have been steady, with 95 % confidence.
  // Absent with `drift`.
  std::optional<double> tolerance_shown;
};

// The blocks' means over `processes`, all with as many blocks; `tolerance` in their unit, such as
// 0.01 for 1 % of log medians.
// Errors: FailedPrecondition without processes or blocks; InvalidArgument when processes differ in
// their number of blocks, a value is not finite, or the tolerance not above zero;
// ResourceExhausted above kWarmUpBlocksMax blocks.
absl::StatusOr<WarmUp> AssessWarmUp(std::span<const std::vector<double>> processes,
                                    double tolerance);

// MSER: the cut d < n/2 with the smallest var(blocks[d..]) / (n - d); the first one of equals.
// Errors: those of CheckValues with at least two blocks.
absl::StatusOr<size_t> MserCut(std::span<const double> blocks);

// The segments, of at least three blocks where there are as many, with the least sum of squares
// about their means and `penalty` a segment: where each begins, 0 first.
// Errors: those of CheckValues with at least one block; InvalidArgument when the penalty is below
// zero or not finite; ResourceExhausted above kWarmUpBlocksMax blocks, the work being quadratic.
absl::StatusOr<std::vector<size_t>> LevelSegments(std::span<const double> blocks, double penalty);

}  // namespace tare::stats

#endif  // TARE_STATS_WARM_UP_H_
