#include "stats/planned_looks.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::stats {
namespace {

constexpr size_t kFiveLooksRoundsMin = 16;
constexpr double kTimeStepMin = 0.01;
// A smaller part of the error rate would put the bound where doubles have no digits left.
constexpr double kSpentStepMin = 1e-10;
// Outside of this the density of the score, whose variance is at most 1, is nothing.
constexpr double kScoreMax = 8;
// Even, for Simpson's rule: steps of about 0.025 give the bounds to six digits.
constexpr size_t kGridSteps = 400;
constexpr int kRootBits = 40;
constexpr std::uintmax_t kRootStepsMax = 100;

double UpperTail(double z) {
  return boost::math::cdf(boost::math::complement(boost::math::normal(), z));
}

double Density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

// The paths that have crossed no bound yet: the density of their score B = z √t on a grid, times
// the weight of each point in Simpson's rule.
struct Paths {
  std::vector<double> score;
  std::vector<double> mass;
};

// Before the first look all paths are at 0.
Paths StartOfPaths() { return {{0.0}, {1.0}}; }

// The share of paths that are above `bound` after a further step.
double ShareAbove(const Paths& paths, double step_sd, double bound) {
  double share = 0;
  for (size_t i = 0; i < paths.score.size(); ++i) {
    share += paths.mass[i] * UpperTail((bound - paths.score[i]) / step_sd);
  }
  return share;
}

double BoundFor(const Paths& paths, double step_sd, double share) {
  const auto missing = [&](double bound) { return ShareAbove(paths, step_sd, bound) - share; };
  std::uintmax_t steps = kRootStepsMax;
  const auto [below, above] = boost::math::tools::toms748_solve(
      missing, -kScoreMax, kScoreMax, boost::math::tools::eps_tolerance<double>(kRootBits), steps);
  return (below + above) / 2;
}

Paths StepBelow(const Paths& paths, double step_sd, double bound) {
  Paths next;
  const double step = (bound + kScoreMax) / static_cast<double>(kGridSteps);
  for (size_t i = 0; i <= kGridSteps; ++i) {
    const double score = -kScoreMax + step * static_cast<double>(i);
    double density = 0;
    for (size_t j = 0; j < paths.score.size(); ++j) {
      density += paths.mass[j] * Density((score - paths.score[j]) / step_sd) / step_sd;
    }
    const bool is_end = i == 0 || i == kGridSteps;
    const double weight = is_end ? 1 : (i % 2 == 1 ? 4 : 2);
    next.score.push_back(score);
    next.mass.push_back(density * weight * step / 3);
  }
  return next;
}

absl::Status CheckSpending(std::span<const double> times, std::span<const double> spent) {
  if (times.size() != spent.size() || times.empty()) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(times.size(), " times of looks but ", spent.size(),
                                  " error rates; at least one of each is needed"));
  }
  double last_time = 0;
  double last_spent = 0;
  for (size_t i = 0; i < times.size(); ++i) {
    if (!(times[i] - last_time >= kTimeStepMin && times[i] <= 1)) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("look at ", times[i], " of all rounds after one at ", last_time,
                                    ": must be at least ", kTimeStepMin, " later, and at most 1"));
    }
    if (!(spent[i] - last_spent >= kSpentStepMin && spent[i] <= 0.5)) {
      return MakeError(
          absl::StatusCode::kInvalidArgument,
          absl::StrCat("error rate ", spent[i], " spent after ", last_spent,
                       ": must be more by at least ", kSpentStepMin, ", and at most 0.5"));
    }
    last_time = times[i];
    last_spent = spent[i];
  }
  return absl::OkStatus();
}

size_t RoundUp(size_t numerator, size_t denominator) {
  return (numerator + denominator - 1) / denominator;
}

}  // namespace

size_t DefaultLooks(size_t rounds_max) { return rounds_max < kFiveLooksRoundsMin ? 3 : 5; }

absl::StatusOr<std::vector<size_t>> PlanLooks(size_t rounds_max, size_t looks) {
  if (rounds_max < kLookRoundsMin) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("too few rounds for planned looks: ", rounds_max, " of at least ",
                                  kLookRoundsMin));
  }
  if (looks < 2 || looks > kLooksMax) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat(looks, " looks are outside 2 to ", kLooksMax));
  }
  std::vector<size_t> rounds;
  if (rounds_max >= kFiveLooksRoundsMin) {
    for (size_t k = 1; k <= looks; ++k) rounds.push_back(RoundUp(k * rounds_max, looks));
    return rounds;
  }
  const size_t first = std::max(kFirstLookMin, (2 * rounds_max + looks) / (2 * looks));
  for (size_t k = 0; k < looks; ++k) {
    rounds.push_back(first + RoundUp(k * (rounds_max - first), looks - 1));
  }
  return rounds;
}

double PocockSpending(double t, double alpha) {
  return alpha * std::log1p((std::numbers::e - 1) * t);
}

absl::StatusOr<std::vector<double>> SpendingBounds(std::span<const double> times,
                                                   std::span<const double> spent) {
  RETURN_IF_ERROR(CheckSpending(times, spent));
  std::vector<double> bounds;
  Paths paths = StartOfPaths();
  for (size_t i = 0; i < times.size(); ++i) {
    const double step_sd = std::sqrt(times[i] - (i == 0 ? 0 : times[i - 1]));
    const double share = spent[i] - (i == 0 ? 0 : spent[i - 1]);
    const double bound = BoundFor(paths, step_sd, share);
    bounds.push_back(bound / std::sqrt(times[i]));
    if (i + 1 < times.size()) paths = StepBelow(paths, step_sd, bound);
  }
  return bounds;
}

absl::StatusOr<std::vector<LookBound>> PocockBounds(std::span<const size_t> looks, double alpha) {
  std::vector<double> times;
  std::vector<double> spent;
  for (const size_t rounds : looks) {
    times.push_back(static_cast<double>(rounds) / static_cast<double>(looks.back()));
    spent.push_back(PocockSpending(times.back(), alpha));
  }
  ASSIGN_OR_RETURN(const std::vector<double> bounds, SpendingBounds(times, spent));
  std::vector<LookBound> result;
  for (size_t i = 0; i < bounds.size(); ++i) {
    result.push_back({looks[i], bounds[i], UpperTail(bounds[i])});
  }
  return result;
}

}  // namespace tare::stats
