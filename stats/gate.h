// The release gate: is a change larger than its threshold, smaller, or not known yet?
//
// One score a unit of inference (round, process), positive where the candidate is worse; Student's
// t over the scores decides:
//   fail          the lower limit is above the floor, and the mean at or above the threshold
//   pass          the upper limit is below the threshold
//   inconclusive  neither
// The floor is no change at all, or the threshold itself where the gate is strict. At the usual
// levels a change of at most the floor fails in at most 1 % of runs, and one of at least the
// threshold passes in at most 5 %. In between nothing is promised: a change just at the threshold
// fails in half of the runs of a gate that is not strict. "The median of five rounds is above 5 %"
// promises nothing anywhere, and calls a good build bad in 7 to 17 % of runs.
//
// Swapped, the same rule asks whether the candidate is better: exchange the arms, or negate scores.
//
// Pure functions; safe to call from any thread.
// Source: two one-sided t tests, as in Schuirmann, "A comparison of the two one-sided tests
// procedure and the power approach" (1987), with a floor for the alarm; for both thresholds an
// intersection-union test: Berger, "Multiparameter hypothesis testing" (1982).

#ifndef TARE_STATS_GATE_H_
#define TARE_STATS_GATE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace tare::stats {

// Fewer units have no interval. With three or four it is provisional, and whoever asked should
// wait for five before a verdict.
inline constexpr size_t kGateUnitsMin = 3;

// From which size on a change matters. With both, it must exceed both; with none, all changes do.
struct GateThreshold {
  std::optional<double> relative = std::nullopt;  // 0.05 is 5 % of the baseline; above 0
  std::optional<double> absolute = std::nullopt;  // in the unit of the values; above 0
  bool is_strict = false;  // the floor is the threshold, instead of no change
};

// One-sided error rates: of a fail at the floor, of a pass at the threshold. Another look, or
// another member of a family of tests, has other levels: planned_looks.h, holm.h.
struct GateLevels {
  double fail = 0.01;
  double pass = 0.05;
};

// InvalidArgument when a level is outside (0, 0.5].
absl::Status CheckLevels(const GateLevels& levels);

struct ScoreLimits {
  size_t count = 0;
  double degrees = 0;  // of Student's t
  double mean = 0;
  double se = 0;    // the standard error of the mean
  double low = 0;   // below the true mean with confidence 1 - levels.fail
  double high = 0;  // above the true mean with confidence 1 - levels.pass
};

// Errors: those of CheckLevels, and of CheckVaries with at least kGateUnitsMin scores.
absl::StatusOr<ScoreLimits> LimitsOf(std::span<const double> scores, const GateLevels& levels);

// With the spread inside groups, where there are any: `groups[i]` is that of score i. Errors: those
// of LimitsOf, and of StandardErrorWithin; FailedPrecondition with fewer than kGateUnitsMin - 1
// degrees.
absl::StatusOr<ScoreLimits> LimitsWithin(std::span<const double> scores,
                                         std::span<const size_t> groups, const GateLevels& levels);

// What the rule decides on, one score a unit, each less the limit that it is held against.
struct GateScores {
  std::vector<double> over_floor;
  // A change is over its threshold when the true means of all of these are. None where there is no
  // threshold (such a gate never passes); two near the kink, see ScoreGate.
  std::vector<std::vector<double>> over_threshold;
  // The group of each score where only the spread inside groups counts (standard_error.h); empty:
  // all scores are alike.
  std::vector<size_t> groups = {};
};

// InvalidArgument when not all scores and groups are of as many units.
absl::Status CheckCounts(const GateScores& scores);

// The scores of values a unit, in the same order:
//   no threshold, relative  log(candidate / baseline), threshold log(1 + relative)
//   absolute                candidate - baseline, threshold `absolute`
//   both                    floor: log(candidate / baseline); threshold, and strict floor:
//                           log(candidate / max(baseline (1 + relative), baseline + absolute)).
//                           Near the kink, where both thresholds are within 20 % of each other at
//                           the geometric mean of the baseline, the thresholds are tested apart.
// Errors: FailedPrecondition without values; InvalidArgument when the spans differ in length, a
// value is not above zero (with an absolute threshold alone: not finite), or a threshold is not.
absl::StatusOr<GateScores> ScoreGate(std::span<const double> baseline,
                                     std::span<const double> candidate,
                                     const GateThreshold& threshold);

enum class GateDecision { kInconclusive, kFail, kPass };

struct GateResult {
  GateDecision decision = GateDecision::kInconclusive;
  // Fails iff at most levels.fail. One-sided for "not above the floor"; 1 where a mean is below its
  // threshold, which only makes it more careful. For Holm's adjustment over a family of gates.
  double fail_p = 1;
};

// Errors: those of CheckCounts and LimitsOf.
absl::StatusOr<GateResult> DecideGate(const GateScores& scores, const GateLevels& levels);

enum class GateVerdict { kInconclusive, kRegression, kImprovement, kEquivalent, kPass };

// `swapped` is the decision of the same rule with the arms exchanged. Equivalent: neither is worse
// than the other by the threshold.
GateVerdict VerdictOf(GateDecision forward, GateDecision swapped);

}  // namespace tare::stats

#endif  // TARE_STATS_GATE_H_
