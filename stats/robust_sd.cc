#include "stats/robust_sd.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/quantile.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

constexpr double kNormalConsistency = 1.4826;
constexpr size_t kOddValuesMin = 5;

}  // namespace

absl::StatusOr<double> RobustSd(std::span<const double> values) {
  RETURN_IF_ERROR(CheckValues(values, 2));
  ASSIGN_OR_RETURN(const double center, Median(values));
  std::vector<double> deviations;
  deviations.reserve(values.size());
  for (double value : values) deviations.push_back(std::abs(value - center));
  ASSIGN_OR_RETURN(const double mad, Median(deviations));
  return kNormalConsistency * mad;
}

absl::StatusOr<std::vector<size_t>> OddValues(std::span<const double> values, double limit) {
  RETURN_IF_ERROR(CheckValues(values, kOddValuesMin));
  if (values.size() > kOddValuesMax) {
    return MakeError(absl::StatusCode::kResourceExhausted,
                     absl::StrCat(values.size(), " values are more than ", kOddValuesMax));
  }
  std::vector<size_t> odd;
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<double> others(values.begin(), values.end());
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    ASSIGN_OR_RETURN(const double center, Median(others));
    ASSIGN_OR_RETURN(const double spread, RobustSd(others));
    if (spread > 0 && std::abs(values[i] - center) > limit * spread) odd.push_back(i);
  }
  return odd;
}

}  // namespace tare::stats
