#include "stats/correlation.h"

#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "stats/moments.h"
#include "stats/values.h"

namespace tare::stats {

absl::StatusOr<double> Correlation(std::span<const double> x, std::span<const double> y) {
  constexpr size_t kValuesMin = 3;
  if (x.size() != y.size()) return absl::InvalidArgumentError("the spans differ in length");
  RETURN_IF_ERROR(CheckVaries(x, kValuesMin));
  RETURN_IF_ERROR(CheckVaries(y, kValuesMin));
  ASSIGN_OR_RETURN(const Moments of_x, MomentsOf(x));
  ASSIGN_OR_RETURN(const Moments of_y, MomentsOf(y));
  double products = 0;
  for (size_t i = 0; i < x.size(); ++i) products += (x[i] - of_x.mean) * (y[i] - of_y.mean);
  const double correlation = products / (of_x.sd * of_y.sd * static_cast<double>(x.size() - 1));
  return std::clamp(correlation, -1.0, 1.0);
}

}  // namespace tare::stats
