// A gate that may be looked at after every round, for ever.
//
// E is the wealth of somebody who bets, at fair odds, against "the mean is at its limit": that it
// ever grows to 1/(2 level) on the right side has at most the probability `level`, however often
// one looks, and when rounds are added days later. The price is power: up to 35 percentage points
// at 20 rounds. With a declared number of rounds use planned_looks.h.
//
// Exact for normal scores, measured careful for those with outliers, and not protected against
// skew, which log ratios of arms that could be exchanged do not have.
//
// Pure functions; safe to call from any thread.
// Source: Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with
// unknown variance" (2023), with the mixture of c² = 1; Ville's inequality (1939).

#ifndef TARE_STATS_E_PROCESS_H_
#define TARE_STATS_E_PROCESS_H_

#include <span>

#include "absl/status/statusor.h"
#include "stats/gate.h"
#include "stats/t_interval.h"

namespace tare::stats {

// E after these scores, against a mean of zero:
//   √(1/(n+1)) (1 - S²/((n+1) V))^(-n/2), S the sum, V the sum of squares.
// 1 where all are zero; infinite where it is beyond a double.
// Errors: those of CheckValues with at least one score.
absl::StatusOr<double> EValue(std::span<const double> scores);

// The rule of gate.h after any round: it fails when E over the floor reaches 1/(2 levels.fail) with
// S > 0 and the means at or above their thresholds, passes when E over a threshold reaches
// 1/(2 levels.pass) with S < 0. fail_p is 1/(2 E) where S > 0.
// Errors: those of EValue, CheckLevels and CheckCounts.
absl::StatusOr<GateResult> DecideOpenEnded(const GateScores& scores, const GateLevels& levels);

// The mean, and all means that E, two-sided at level 1 - confidence, has not ruled out. It holds at
// all rounds at once. Both ends are infinite while nothing is ruled out: at 95 % below 5 scores.
// Errors: those of EValue; InvalidArgument when the confidence is not strictly between 0 and 1.
absl::StatusOr<Interval> ConfidenceSequence(std::span<const double> scores, double confidence);

}  // namespace tare::stats

#endif  // TARE_STATS_E_PROCESS_H_
