// How often do the intervals of slope and distance hold the truth?
//
// The model of the specification: delays of 0 to 10 ms, three round trips, replicates that differ
// in level and in slope, far points. Deterministic: fixed seeds, bounds of five binomial standard
// deviations around 95 %.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "stats/fieller.h"
#include "stats/line.h"
#include "stats/t_interval.h"

namespace tare::stats {
namespace {

constexpr int kRuns = 1'000;
constexpr double kRoundTrips = 3;
constexpr double kLevelMs = 2;
constexpr double kSeenMs = 20;

struct Coverage {
  int slope = 0;
  int distance = 0;
};

struct Spread {
  double slope_sd = 0;
  double outlier_share = 0;
  int replicates = 10;
};

std::vector<Line> DrawReplicates(const Spread& spread, Random* random) {
  std::vector<Line> lines;
  const std::vector<double> delays = {0, 1, 2, 5, 10};
  for (int replicate = 0; replicate < spread.replicates; ++replicate) {
    const double level = kLevelMs + 0.3 * random->Normal();
    const double slope = kRoundTrips + spread.slope_sd * random->Normal();
    std::vector<double> latencies;
    for (const double delay : delays) {
      double latency = level + slope * delay + 0.08 * random->Normal();
      if (random->Uniform() < spread.outlier_share) latency += 2;
      latencies.push_back(latency);
    }
    lines.push_back(FitLine(delays, latencies).value());
  }
  return lines;
}

Coverage CoverageOf(const Spread& spread) {
  Coverage coverage;
  const double truth = (kSeenMs - kLevelMs) / kRoundTrips;
  for (int run = 0; run < kRuns; ++run) {
    Random random(DeriveSeed(71, static_cast<uint64_t>(run)));
    const std::vector<Line> lines = DrawReplicates(spread, &random);
    std::vector<double> slopes;
    for (const Line& line : lines) slopes.push_back(line.slope);
    const Interval slope = TInterval(slopes, 0.95).value();
    coverage.slope += slope.low <= kRoundTrips && kRoundTrips <= slope.high;
    const Interval distance = InversePrediction(lines, kSeenMs, 0.95).value();
    coverage.distance += distance.low <= truth && truth <= distance.high;
  }
  return coverage;
}

void ExpectNominal(const Coverage& coverage) {
  const double slack = 5 * std::sqrt(kRuns * 0.95 * 0.05);
  EXPECT_NEAR(coverage.slope, kRuns * 0.95, slack);
  EXPECT_NEAR(coverage.distance, kRuns * 0.95, slack);
}

TEST(LineCalibration, EqualSlopesAreCovered) { ExpectNominal(CoverageOf({})); }

TEST(LineCalibration, SlopesThatVaryBetweenReplicatesAreCovered) {
  ExpectNominal(CoverageOf({.slope_sd = 0.1}));
}

TEST(LineCalibration, FiveReplicatesAreEnough) {
  ExpectNominal(CoverageOf({.slope_sd = 0.1, .replicates = 5}));
}

TEST(LineCalibration, FarPointsDoNotSpoilIt) {
  ExpectNominal(CoverageOf({.slope_sd = 0.1, .outlier_share = 0.05}));
}

}  // namespace
}  // namespace tare::stats
