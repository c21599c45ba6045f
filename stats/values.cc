#include "stats/values.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::stats {

absl::Status CheckValues(std::span<const double> values, size_t count_min) {
  if (values.size() < count_min) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("too few values: ", values.size(), " of at least ", count_min));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("value ", i, " is not a finite number"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckVaries(std::span<const double> values, size_t count_min) {
  RETURN_IF_ERROR(CheckValues(values, count_min));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (low == values.end() || *low == *high) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("all ", values.size(), " values are equal"));
  }
  return absl::OkStatus();
}

}  // namespace tare::stats
