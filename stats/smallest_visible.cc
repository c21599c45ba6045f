#include "stats/smallest_visible.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/moments.h"
#include "stats/t_interval.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

constexpr size_t kUnitsMin = 3;
constexpr double kPowerMin = 0.1;
constexpr double kPowerMax = 0.999;
constexpr int kRootBits = 48;
constexpr std::uintmax_t kRootStepsMax = 100;

}  // namespace

absl::StatusOr<double> VisibleFactor(size_t units, double power) {
  if (units < kUnitsMin) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("too few units: ", units, " of at least ", kUnitsMin));
  }
  if (!(power >= kPowerMin && power <= kPowerMax)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("power ", power, " is outside ", kPowerMin, " to ", kPowerMax));
  }
  const double degrees = static_cast<double>(units - 1);
  const double critical = TQuantile(0.975, degrees);
  const auto missing = [&](double shift) {
    const boost::math::non_central_t distribution(degrees, shift);
    return boost::math::cdf(boost::math::complement(distribution, critical)) - power;
  };
  // The power at shift 0 is 2.5 %; it grows to 1, so doubling finds the other end.
  double high = 4;
  while (missing(high) < 0) high *= 2;
  std::uintmax_t steps = kRootStepsMax;
  const auto [below, above] = boost::math::tools::toms748_solve(
      missing, 1e-6, high, boost::math::tools::eps_tolerance<double>(kRootBits), steps);
  return (below + above) / 2 / std::sqrt(static_cast<double>(units));
}

absl::StatusOr<double> SpreadFactor(size_t units) {
  if (units < 2) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("too few units: ", units, " of at least 2"));
  }
  const double degrees = static_cast<double>(units - 1);
  return std::sqrt(degrees / boost::math::quantile(boost::math::chi_squared(degrees), 0.2));
}

absl::StatusOr<double> SmallestVisibleEffect(std::span<const double> control_differences,
                                             double power) {
  RETURN_IF_ERROR(CheckVaries(control_differences, kSmallestVisibleUnitsMin));
  ASSIGN_OR_RETURN(const Moments moments, MomentsOf(control_differences));
  ASSIGN_OR_RETURN(const double factor, VisibleFactor(moments.count, power));
  ASSIGN_OR_RETURN(const double uncertainty, SpreadFactor(moments.count));
  return factor * uncertainty * moments.sd;
}

}  // namespace tare::stats
