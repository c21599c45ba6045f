#include "stats/share.h"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "base/status.h"

namespace tare::stats {
namespace {

absl::Status Check(size_t k, size_t n, double confidence) {
  if (n == 0 || k > n) return absl::InvalidArgumentError("a share needs 0 <= k <= n and n > 0");
  if (!(confidence > 0 && confidence < 1)) {
    return absl::InvalidArgumentError("the confidence is not between 0 and 1");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<double> ShareLowerLimit(size_t k, size_t n, double confidence) {
  RETURN_IF_ERROR(Check(k, n, confidence));
  if (k == 0) return 0;
  return boost::math::binomial::find_lower_bound_on_p(static_cast<double>(n),
                                                      static_cast<double>(k), 1 - confidence);
}

absl::StatusOr<Interval> WilsonInterval(size_t k, size_t n, double confidence) {
  RETURN_IF_ERROR(Check(k, n, confidence));
  const auto count = static_cast<double>(n);
  const double share = static_cast<double>(k) / count;
  const double z = boost::math::quantile(boost::math::normal(), 0.5 + confidence / 2);
  const double middle = (share + z * z / (2 * count)) / (1 + z * z / count);
  const double half = z / (1 + z * z / count) *
                      std::sqrt(share * (1 - share) / count + z * z / (4 * count * count));
  // At the ends one limit is exact, and rounding must not move it.
  return Interval{share, k == 0 ? 0 : middle - half, k == n ? 1 : middle + half};
}

}  // namespace tare::stats
