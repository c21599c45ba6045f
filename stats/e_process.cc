#include "stats/e_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/moments.h"
#include "stats/values.h"

namespace tare::stats {
namespace {

// c² of the specification: how large an effect, in standard deviations, the bets expect.
constexpr double kMixture = 1;

double Sum(std::span<const double> scores) {
  double sum = 0;
  for (const double score : scores) sum += score;
  return sum;
}

}  // namespace

absl::StatusOr<double> EValue(std::span<const double> scores) {
  RETURN_IF_ERROR(CheckValues(scores, 1));
  const double n = static_cast<double>(scores.size());
  const double sum = Sum(scores);
  double squares = 0;
  for (const double score : scores) squares += score * score;
  if (squares == 0) return 1;
  const double explained = sum * sum / ((n + kMixture) * squares);
  return std::exp(0.5 * std::log(kMixture / (n + kMixture)) - n / 2 * std::log1p(-explained));
}

absl::StatusOr<GateResult> DecideOpenEnded(const GateScores& scores, const GateLevels& levels) {
  RETURN_IF_ERROR(CheckLevels(levels));
  RETURN_IF_ERROR(CheckCounts(scores));
  ASSIGN_OR_RETURN(const double floor, EValue(scores.over_floor));
  GateResult result;
  if (Sum(scores.over_floor) > 0) result.fail_p = std::min(1.0, 1 / (2 * floor));
  for (const std::vector<double>& excess : scores.over_threshold) {
    ASSIGN_OR_RETURN(const double threshold, EValue(excess));
    if (Sum(excess) >= 0) continue;
    result.fail_p = 1;
    if (1 / (2 * threshold) <= levels.pass) result.decision = GateDecision::kPass;
  }
  if (result.fail_p <= levels.fail) result.decision = GateDecision::kFail;
  return result;
}

absl::StatusOr<Interval> ConfidenceSequence(std::span<const double> scores, double confidence) {
  if (!(confidence > 0 && confidence < 1)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("confidence ", confidence, " is not between 0 and 1"));
  }
  ASSIGN_OR_RETURN(const double mean, Mean(scores));
  const double n = static_cast<double>(scores.size());
  const double alpha = 1 - confidence;
  const double k = std::pow(alpha * alpha * kMixture / (n + kMixture), 1 / n);
  const double numerator = (1 - k) * (n + kMixture);
  const double denominator = n - numerator;
  if (denominator <= 0) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return Interval{mean, -kInfinity, kInfinity};
  }
  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  const double radius = std::sqrt(squares / n * numerator / denominator);
  return Interval{mean, mean - radius, mean + radius};
}

}  // namespace tare::stats
