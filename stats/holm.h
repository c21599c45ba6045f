// Holm's step-down adjustment: many tests, one error rate for all of them together.
//
// Pure function; safe to call from any thread.
// Source: Holm, "A simple sequentially rejective multiple test procedure" (1979).

#ifndef TARE_STATS_HOLM_H_
#define TARE_STATS_HOLM_H_

#include <span>
#include <vector>

#include "absl/status/statusor.h"

namespace tare::stats {

struct HolmTest {
  double p_adjusted = 1;  // rejected iff at most `alpha`
  // The level at which this test is decided: an interval of confidence 1 - level excludes zero
  // exactly when the test is rejected.
  double level = 0;
};

// One entry for each p value, in their order. `alpha` is the error rate of the whole family.
// Errors: FailedPrecondition when there are none; InvalidArgument when one is outside [0, 1] or
// `alpha` outside (0, 1).
absl::StatusOr<std::vector<HolmTest>> Holm(std::span<const double> p_values, double alpha);

}  // namespace tare::stats

#endif  // TARE_STATS_HOLM_H_
