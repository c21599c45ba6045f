// Looking at a run before its last round without paying for it in false verdicts.
//
// Whoever looks after every round and stops at the first verdict fails a good build 5.8 % and
// passes a bad one 19.5 % of the time, instead of 1 % and 5 %. Here the looks are planned and each
// spends a part of the error rate. A run that may go on for ever has no last look: e_process.h.
//
// Use at look k: DecideGate with fail and pass at the look's levels for alpha 0.01 and 0.05 (over K
// comparisons alpha / K), and the rounds that there are. The interval to print after any of the
// looks is TInterval with confidence 1 - 2 × the look's level for alpha 0.025.
//
// Pure functions; safe to call from any thread.
// Source: Lan and DeMets, "Discrete sequential boundaries for clinical trials" (1983), with the
// spending function in the manner of Pocock; the recursion is that of Armitage, McPherson and Rowe,
// "Repeated significance tests on accumulating data" (1969). The bounds are those of normal scores;
// at a look their level serves for Student's t. Measured at 20 rounds: fail 1.05 %, pass 5.6 %.

#ifndef TARE_STATS_PLANNED_LOOKS_H_
#define TARE_STATS_PLANNED_LOOKS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::stats {

inline constexpr size_t kLookRoundsMin = 8;  // the last look
inline constexpr size_t kFirstLookMin = 4;
inline constexpr size_t kLooksMax = 5;

// Five looks, three below 16 rounds: fewer rounds cannot bear more.
size_t DefaultLooks(size_t rounds_max);

// The rounds after which one looks, ascending, the last one `rounds_max`. From 16 rounds on in
// equal steps; below, the first after at least kFirstLookMin rounds, the others in equal steps.
// Errors: InvalidArgument when rounds_max is below kLookRoundsMin or looks outside 2 to kLooksMax.
absl::StatusOr<std::vector<size_t>> PlanLooks(size_t rounds_max, size_t looks);

// The part of `alpha` that is spent when the share `t` of all rounds is there: alpha ln(1+(e-1)t).
double PocockSpending(double t, double alpha);

// The bounds z_k, one-sided: under no effect, P(z_1 or … or z_k is crossed) = spent[k]. `times` are
// the shares of all rounds, ascending in (0, 1] by at least 0.01; `spent` is ascending in (0, 0.5]
// by at least 1e-10. Takes some milliseconds.
// Errors: InvalidArgument when the spans differ in length, are empty, or are not like that.
absl::StatusOr<std::vector<double>> SpendingBounds(std::span<const double> times,
                                                   std::span<const double> spent);

struct LookBound {
  size_t rounds = 0;
  double z = 0;
  double level = 0;  // P(Z > z): the one-sided level of the t test at this look
};

// The bounds of planned looks by PocockSpending. Errors: those of SpendingBounds.
absl::StatusOr<std::vector<LookBound>> PocockBounds(std::span<const size_t> looks, double alpha);

}  // namespace tare::stats

#endif  // TARE_STATS_PLANNED_LOOKS_H_
