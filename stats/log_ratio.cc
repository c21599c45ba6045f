#include "stats/log_ratio.h"

#include <cmath>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/moments.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<double> LogRatio(double baseline, double candidate) {
  if (!std::isfinite(baseline) || !std::isfinite(candidate) || baseline <= 0 || candidate <= 0) {
    return MakeError(
        absl::StatusCode::kInvalidArgument,
        absl::StrCat("no ratio of ", candidate, " to ", baseline, ": both must be above zero"));
  }
  return std::log(candidate / baseline);
}

absl::StatusOr<double> Lag1Autocorrelation(std::span<const double> values) {
  RETURN_IF_ERROR(CheckVaries(values, 3));
  ASSIGN_OR_RETURN(const double mean, Mean(values));
  double products = 0;
  double squares = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) products += (values[i] - mean) * (values[i - 1] - mean);
  }
  return products / squares;
}

}  // namespace tare::stats
