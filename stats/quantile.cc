#include "stats/quantile.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<double> Quantile(std::span<const double> values, double q) {
  RETURN_IF_ERROR(CheckValues(values, 1));
  if (!(q >= 0 && q <= 1)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("quantile ", q, " is outside 0 to 1"));
  }
  std::vector<double> copy(values.begin(), values.end());
  const size_t rank = std::min(
      copy.size() - 1, static_cast<size_t>(std::floor(q * static_cast<double>(copy.size()))));
  const auto nth = copy.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(copy.begin(), nth, copy.end());
  return *nth;
}

absl::StatusOr<double> Median(std::span<const double> values) {
  RETURN_IF_ERROR(CheckValues(values, 1));
  std::vector<double> copy(values.begin(), values.end());
  const auto upper = copy.begin() + static_cast<std::ptrdiff_t>(copy.size() / 2);
  std::nth_element(copy.begin(), upper, copy.end());
  if (copy.size() % 2 == 1) return *upper;
  return (*std::max_element(copy.begin(), upper) + *upper) / 2;
}

}  // namespace tare::stats
