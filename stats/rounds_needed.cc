#include "stats/rounds_needed.h"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/gate.h"
#include "stats/t_interval.h"

namespace tare::stats {
namespace {

constexpr double kPowerMin = 0.1;
constexpr double kPowerMax = 0.999;
// Beyond this shift the power is 1 for every level and count, and the distribution has no digits.
constexpr double kShiftMax = 1'000;

double PowerAt(size_t rounds, double gap_in_sd, double level) {
  const double shift = gap_in_sd * std::sqrt(static_cast<double>(rounds));
  if (shift > kShiftMax) return 1;
  const double degrees = static_cast<double>(rounds - 1);
  const boost::math::non_central_t distribution(degrees, shift);
  return boost::math::cdf(boost::math::complement(distribution, TQuantile(1 - level, degrees)));
}

}  // namespace

absl::StatusOr<size_t> RoundsNeeded(double gap, double sd, double level, double power) {
  if (!std::isfinite(gap) || !std::isfinite(sd) || gap <= 0 || sd <= 0) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("no number of rounds for gap ", gap, " and standard deviation ",
                                  sd, ": both must be above zero"));
  }
  if (!(level > 0 && level <= 0.5) || !(power >= kPowerMin && power <= kPowerMax)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("level ", level, " is outside 0 to 0.5, or power ", power,
                                  " outside ", kPowerMin, " to ", kPowerMax));
  }
  const double gap_in_sd = gap / sd;
  if (PowerAt(kRoundsNeededMax, gap_in_sd, level) < power) {
    return MakeError(absl::StatusCode::kOutOfRange,
                     absl::StrCat("more than ", kRoundsNeededMax, " rounds are needed"))
        .Detail(absl::StrCat("the gap is ", gap_in_sd, " standard deviations of a round"));
  }
  // The power grows with the rounds.
  size_t enough = kGateUnitsMin;
  size_t too_few = kGateUnitsMin - 1;
  while (enough < kRoundsNeededMax && PowerAt(enough, gap_in_sd, level) < power) {
    too_few = enough;
    enough = std::min(2 * enough, kRoundsNeededMax);
  }
  while (enough - too_few > 1) {
    const size_t middle = too_few + (enough - too_few) / 2;
    (PowerAt(middle, gap_in_sd, level) < power ? too_few : enough) = middle;
  }
  return enough;
}

}  // namespace tare::stats
