#include "stats/holm.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<std::vector<HolmTest>> Holm(std::span<const double> p_values, double alpha) {
  RETURN_IF_ERROR(CheckValues(p_values, 1));
  if (!(alpha > 0 && alpha < 1)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("alpha ", alpha, " is not between 0 and 1"));
  }
  for (double p : p_values) {
    if (p >= 0 && p <= 1) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("p value ", p, " is outside 0 to 1"));
  }
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  std::vector<HolmTest> tests(p_values.size());
  double adjusted = 0;
  double level = alpha;
  bool is_rejecting = true;
  for (size_t i = 0; i < order.size(); ++i) {
    const double remaining = static_cast<double>(order.size() - i);
    // The first test that is kept stops the procedure: all later ones are kept at its level.
    if (is_rejecting) level = alpha / remaining;
    adjusted = std::max(adjusted, std::min(1.0, remaining * p_values[order[i]]));
    if (adjusted > alpha) is_rejecting = false;
    tests[order[i]] = {adjusted, level};
  }
  return tests;
}

}  // namespace tare::stats
