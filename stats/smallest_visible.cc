#include "stats/smallest_visible.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/standard_error.h"
#include "stats/t_interval.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

constexpr size_t kUnitsMin = 3;
constexpr double kLevelOneSided = 0.025;
constexpr double kPowerMin = 0.1;
constexpr double kPowerMax = 0.999;
constexpr int kRootBits = 48;
constexpr std::uintmax_t kRootStepsMax = 100;

// The shift, in standard errors of the mean, that a one-sided t test at `level` finds.
absl::StatusOr<double> OneSidedShift(double degrees, double power, double level) {
  if (!(power >= kPowerMin && power <= kPowerMax)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("power ", power, " is outside ", kPowerMin, " to ", kPowerMax));
  }
  if (power <= level) return 0;
  const double critical = TQuantile(1 - level, degrees);
  const auto missing = [&](double shift) {
    const boost::math::non_central_t distribution(degrees, shift);
    return boost::math::cdf(boost::math::complement(distribution, critical)) - power;
  };
  // The power at shift 0 is `level`; it grows to 1, so doubling finds the other end.
  double high = 4;
  while (missing(high) < 0) high *= 2;
  std::uintmax_t steps = kRootStepsMax;
  const auto [below, above] = boost::math::tools::toms748_solve(
      missing, 1e-6, high, boost::math::tools::eps_tolerance<double>(kRootBits), steps);
  return (below + above) / 2;
}

// The same in standard deviations of a unit.
absl::StatusOr<double> OneSidedFactor(size_t units, double power, double level) {
  if (units < kUnitsMin) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("too few units: ", units, " of at least ", kUnitsMin));
  }
  const double count = static_cast<double>(units);
  ASSIGN_OR_RETURN(const double shift, OneSidedShift(count - 1, power, level));
  return shift / std::sqrt(count);
}

// An upper 80 % limit of a standard deviation over its estimate.
double SpreadFactorOf(double degrees) {
  return std::sqrt(degrees / boost::math::quantile(boost::math::chi_squared(degrees), 0.2));
}

}  // namespace

absl::StatusOr<double> VisibleFactor(size_t units, double power) {
  return OneSidedFactor(units, power, kLevelOneSided);
}

absl::StatusOr<double> SpreadFactor(size_t units) {
  if (units < 2) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("too few units: ", units, " of at least 2"));
  }
  return SpreadFactorOf(static_cast<double>(units - 1));
}

absl::StatusOr<double> SmallestVisibleEffect(std::span<const double> control_differences,
                                             double power) {
  RETURN_IF_ERROR(CheckVaries(control_differences, kSmallestVisibleUnitsMin));
  ASSIGN_OR_RETURN(const StandardError se, StandardErrorOf(control_differences));
  return SmallestVisibleEffect(se, power);
}

absl::StatusOr<double> SmallestVisibleEffect(const StandardError& se, double power) {
  if (se.degrees < kSmallestVisibleUnitsMin - 1) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("too few units: ", se.degrees, " degrees of at least ",
                                  kSmallestVisibleUnitsMin - 1));
  }
  ASSIGN_OR_RETURN(const double shift, OneSidedShift(se.degrees, power, kLevelOneSided));
  return shift * SpreadFactorOf(se.degrees) * se.error;
}

absl::StatusOr<double> SmallestVisibleInGate(const GateLimits& limits, double sd, size_t units,
                                             double power) {
  if (!std::isfinite(limits.floor) || !std::isfinite(limits.threshold) || !std::isfinite(sd) ||
      limits.floor > limits.threshold || sd <= 0) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("no gate with floor ", limits.floor, ", threshold ",
                                  limits.threshold, " and standard deviation ", sd));
  }
  if (!(limits.level > 0 && limits.level <= 0.5)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("level ", limits.level, " is outside 0 to 0.5"));
  }
  ASSIGN_OR_RETURN(const double factor, OneSidedFactor(units, power, limits.level));
  const double z = boost::math::quantile(boost::math::normal(), power);
  const double above_floor = limits.floor + factor * sd;
  const double above_threshold = limits.threshold + z * sd / std::sqrt(static_cast<double>(units));
  return std::max(above_floor, above_threshold);
}

}  // namespace tare::stats
