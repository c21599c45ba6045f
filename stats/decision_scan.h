// What a rule would have decided, had there been fewer rounds: a scan over random subsets of them.
//
// The control arm is known to be equal, so every fail of it is false; where the candidate is known
// to be worse, every pass of it is. The subsets overlap, so hundreds of them are no evidence of
// hundreds of decisions: of 10 rounds 8 can be drawn in 45 ways, and where the true rate of false
// fails is 6.6 %, all of them are clean in 84 % of data sets. Each count therefore comes with the
// number of decisions that were independent and with what these can exclude.
//
// Pure function of its input and of the generator; safe to call from any thread.
// Source: Hoeffding, "Probability inequalities for sums of bounded random variables" (1963),
// section 5: a mean over all subsets is worth as much as one over disjoint subsets, or little more;
// Clopper and Pearson, "The use of confidence or fiducial limits" (1934).

#ifndef TARE_STATS_DECISION_SCAN_H_
#define TARE_STATS_DECISION_SCAN_H_

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "stats/gate.h"

namespace tare::stats {

inline constexpr size_t kScanTrialsMax = 100'000;

// One value a round and arm, such as the p95 of the requests in one window of each process.
struct ScanWindow {
  std::vector<double> baseline;
  std::vector<double> control;
  std::vector<double> candidate;
};

// `threshold` is relative: 0.05 is 5 %.
using ScanRule = GateDecision (*)(std::span<const double> baseline, std::span<const double> other,
                                  double threshold);

// Fails when the upper median of `other` is more than threshold above that of the baseline, else
// passes: it always decides. The rule of the published study.
GateDecision DecideByMedians(std::span<const double> baseline, std::span<const double> other,
                             double threshold);

// DecideGate at its usual levels, inconclusive where there is no interval.
GateDecision DecideByGate(std::span<const double> baseline, std::span<const double> other,
                          double threshold);

struct ScanQuestion {
  size_t rounds = 0;  // drawn without replacement, the same for all arms
  double threshold = 0;
  ScanRule rule = DecideByGate;
  size_t trials = 500;
};

struct ScanRate {
  size_t count = 0;  // of the trials
  // The true rate is at most this with 95 % confidence, as far as independent decisions tell: that
  // of as large a share of them, rounded up.
  double rate_high = 1;
};

struct ScanCell {
  // Disjoint subsets that the rounds of the window hold.
  size_t independent_decisions = 0;
  ScanRate false_fails;   // of control / baseline
  ScanRate false_passes;  // of candidate / baseline
  size_t control_undecided = 0;
  size_t candidate_undecided = 0;
};

// `uniform` gives numbers in [0, 1); it is called once less than the window has rounds for each
// trial, so a table is made again by asking for its cells in the same order.
// Errors: InvalidArgument when the arms differ in length, a value is not above zero, the threshold
// is not, or rounds or trials are not from 1 to those of the window and to kScanTrialsMax.
absl::StatusOr<ScanCell> ScanDecisions(const ScanWindow& window, const ScanQuestion& question,
                                       const std::function<double()>& uniform);

}  // namespace tare::stats

#endif  // TARE_STATS_DECISION_SCAN_H_
