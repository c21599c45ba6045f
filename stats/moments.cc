#include "stats/moments.h"

#include <cmath>

#include "base/status.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<double> Mean(std::span<const double> values) {
  RETURN_IF_ERROR(CheckValues(values, 1));
  double sum = 0;
  for (double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

absl::StatusOr<Moments> MomentsOf(std::span<const double> values) {
  RETURN_IF_ERROR(CheckValues(values, 2));
  Moments result;
  result.count = values.size();
  ASSIGN_OR_RETURN(result.mean, Mean(values));
  double squares = 0;
  for (double value : values) squares += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return result;
}

}  // namespace tare::stats
