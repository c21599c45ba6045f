#include "stats/t_interval.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::stats {
namespace {

absl::Status CheckConfidence(double confidence) {
  if (confidence > 0 && confidence < 1) return absl::OkStatus();
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("confidence ", confidence, " is not between 0 and 1"));
}

}  // namespace

double TQuantile(double p, double degrees) {
  return boost::math::quantile(boost::math::students_t(degrees), p);
}

absl::StatusOr<Interval> TInterval(std::span<const double> values, double confidence) {
  RETURN_IF_ERROR(CheckConfidence(confidence));
  ASSIGN_OR_RETURN(const StandardError se, StandardErrorOf(values));
  return TInterval(se, confidence);
}

absl::StatusOr<Interval> TInterval(const StandardError& se, double confidence) {
  RETURN_IF_ERROR(CheckConfidence(confidence));
  const double half = TQuantile(1 - (1 - confidence) / 2, se.degrees) * se.error;
  return Interval{se.mean, se.mean - half, se.mean + half};
}

absl::StatusOr<double> TLowerLimit(std::span<const double> values, double confidence) {
  RETURN_IF_ERROR(CheckConfidence(confidence));
  ASSIGN_OR_RETURN(const StandardError se, StandardErrorOf(values));
  return se.mean - TQuantile(confidence, se.degrees) * se.error;
}

absl::StatusOr<double> TUpperLimit(std::span<const double> values, double confidence) {
  RETURN_IF_ERROR(CheckConfidence(confidence));
  ASSIGN_OR_RETURN(const StandardError se, StandardErrorOf(values));
  return se.mean + TQuantile(confidence, se.degrees) * se.error;
}

absl::StatusOr<double> TTestP(std::span<const double> values) {
  ASSIGN_OR_RETURN(const StandardError se, StandardErrorOf(values));
  return TTestP(se);
}

double TTestP(const StandardError& se) {
  const boost::math::students_t distribution(se.degrees);
  return 2 * boost::math::cdf(boost::math::complement(distribution, std::abs(se.mean / se.error)));
}

}  // namespace tare::stats
