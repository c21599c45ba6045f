// How often is the gate wrong? 10,000 synthetic runs a case, normal log ratios, fixed seeds.
//
// Bounds are four binomial standard deviations around the nominal or the specified rate, so that
// these tests would miss no error that matters and fail by no chance.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "stats/e_process.h"
#include "stats/gate.h"
#include "stats/planned_looks.h"
#include "stats/smallest_visible.h"

namespace tare::stats {
namespace {

constexpr int kRuns = 10'000;
constexpr double kThreshold = 0.05;
constexpr double kSd = 0.04;
constexpr size_t kRoundsMax = 20;

struct Rates {
  double fail = 0;
  double pass = 0;
  double mean_rounds = 0;
};

struct Outcome {
  GateDecision decision = GateDecision::kInconclusive;
  size_t rounds = 0;
};

struct Model {
  double effect = 0;  // 0.05 is 5 %
  bool is_strict = false;
  double sd = kSd;
  uint64_t seed = 0;
};

using Procedure = std::function<Outcome(const GateScores& scores)>;

GateScores Draw(const Model& model, size_t rounds, Random* random) {
  std::vector<double> baseline;
  std::vector<double> candidate;
  for (size_t i = 0; i < rounds; ++i) {
    baseline.push_back(std::exp(0.05 * random->Normal()));
    candidate.push_back(baseline.back() * (1 + model.effect) *
                        std::exp(model.sd * random->Normal()));
  }
  const GateThreshold threshold = {.relative = kThreshold, .is_strict = model.is_strict};
  return ScoreGate(baseline, candidate, threshold).value();
}

Rates RatesOf(const Model& model, size_t rounds, const Procedure& procedure) {
  Rates rates;
  for (int run = 0; run < kRuns; ++run) {
    Random random(DeriveSeed(model.seed, static_cast<uint64_t>(run)));
    const Outcome outcome = procedure(Draw(model, rounds, &random));
    rates.fail += outcome.decision == GateDecision::kFail;
    rates.pass += outcome.decision == GateDecision::kPass;
    rates.mean_rounds += static_cast<double>(outcome.rounds);
  }
  rates.fail /= kRuns;
  rates.pass /= kRuns;
  rates.mean_rounds /= kRuns;
  return rates;
}

double Slack(double rate) { return 4 * std::sqrt(rate * (1 - rate) / kRuns); }

Outcome DecideAtTheEnd(const GateScores& scores) {
  return {DecideGate(scores, {}).value().decision, scores.over_floor.size()};
}

GateScores FirstOf(const GateScores& scores, size_t rounds) {
  const auto first = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rounds));
  };
  return {first(scores.over_floor), {first(scores.over_threshold.front())}};
}

class PlannedRun {
 public:
  PlannedRun() {
    const std::vector<size_t> looks = PlanLooks(kRoundsMax, 5).value();
    fail_ = PocockBounds(looks, 0.01).value();
    pass_ = PocockBounds(looks, 0.05).value();
  }

  Outcome operator()(const GateScores& scores) const {
    for (size_t i = 0; i < fail_.size(); ++i) {
      const GateLevels levels = {fail_[i].level, pass_[i].level};
      const GateDecision decision =
          DecideGate(FirstOf(scores, fail_[i].rounds), levels).value().decision;
      if (decision != GateDecision::kInconclusive) return {decision, fail_[i].rounds};
    }
    return {GateDecision::kInconclusive, kRoundsMax};
  }

 private:
  std::vector<LookBound> fail_;
  std::vector<LookBound> pass_;
};

Outcome LookAfterEveryRound(const GateScores& scores) {
  for (size_t rounds = 2; rounds <= kRoundsMax; ++rounds) {
    const GateDecision decision = DecideOpenEnded(FirstOf(scores, rounds), {}).value().decision;
    if (decision != GateDecision::kInconclusive) return {decision, rounds};
  }
  return {GateDecision::kInconclusive, kRoundsMax};
}

TEST(GateCalibration, AGoodBuildFailsInAtMostOnePercent) {
  for (const double sd : {0.04, 0.08}) {
    for (const size_t rounds : {size_t{5}, size_t{8}}) {
      const Rates rates = RatesOf({.sd = sd, .seed = 1}, rounds, DecideAtTheEnd);
      EXPECT_LE(rates.fail, 0.01) << sd << " " << rounds;
    }
  }
  // Wherever the noise drowns the threshold the mean is often above it, and the floor alone
  // decides.
  const Rates noisy = RatesOf({.sd = 0.3, .seed = 2}, 8, DecideAtTheEnd);
  EXPECT_NEAR(noisy.fail, 0.01, Slack(0.01));
}

TEST(GateCalibration, ABuildAtTheThresholdPassesInFivePercent) {
  const Rates normal = RatesOf({.effect = kThreshold, .seed = 3}, 8, DecideAtTheEnd);
  EXPECT_NEAR(normal.pass, 0.05, Slack(0.05));
  EXPECT_NEAR(normal.fail, 0.46, Slack(0.46) + 0.005);
  const Rates strict =
      RatesOf({.effect = kThreshold, .is_strict = true, .seed = 4}, 8, DecideAtTheEnd);
  EXPECT_NEAR(strict.pass, 0.05, Slack(0.05));
  EXPECT_NEAR(strict.fail, 0.01, Slack(0.01));
}

TEST(GateCalibration, EightRoundsFindTwiceTheThreshold) {
  EXPECT_NEAR(RatesOf({.seed = 5}, 8, DecideAtTheEnd).pass, 0.925, Slack(0.925) + 0.005);
  EXPECT_GE(RatesOf({.effect = 0.1, .seed = 6}, 8, DecideAtTheEnd).fail, 0.99);
  const Rates strict = RatesOf({.effect = 0.1, .is_strict = true, .seed = 7}, 8, DecideAtTheEnd);
  EXPECT_NEAR(strict.fail, 0.631, Slack(0.631) + 0.005);
}

TEST(GateCalibration, TheSmallestVisibleEffectIsFoundWithAboutItsPower) {
  for (const bool is_strict : {false, true}) {
    const double threshold = std::log1p(kThreshold);
    const double visible =
        SmallestVisibleInGate({is_strict ? threshold : 0, threshold}, kSd, 8, 0.8).value();
    const Rates rates = RatesOf({.effect = std::expm1(visible), .is_strict = is_strict, .seed = 12},
                                8, DecideAtTheEnd);
    EXPECT_GE(rates.fail, 0.76 - Slack(0.76)) << is_strict;
    EXPECT_LE(rates.fail, 0.80 + Slack(0.80)) << is_strict;
  }
}

TEST(GateCalibration, PlannedLooksKeepTheRates) {
  const Rates rates =
      RatesOf({.effect = kThreshold, .is_strict = true, .seed = 8}, kRoundsMax, PlannedRun());
  EXPECT_NEAR(rates.fail, 0.0105, Slack(0.0105));
  EXPECT_NEAR(rates.pass, 0.056, Slack(0.056));
}

TEST(GateCalibration, PlannedLooksStopEarlyWhereNothingChanged) {
  const Rates rates = RatesOf({.seed = 9}, kRoundsMax, PlannedRun());
  EXPECT_LE(rates.fail, 0.01);
  EXPECT_GE(rates.pass, 0.99);
  EXPECT_NEAR(rates.mean_rounds, 7.9, 0.2);
}

TEST(GateCalibration, LookingAfterEveryRoundIsPaidForByTheOpenEndedGate) {
  const Rates rates = RatesOf({.effect = kThreshold, .is_strict = true, .seed = 10}, kRoundsMax,
                              LookAfterEveryRound);
  EXPECT_NEAR(rates.fail, 0.0028, Slack(0.0028));
  EXPECT_NEAR(rates.pass, 0.023, Slack(0.023));
}

TEST(GateCalibration, NearTheKinkOfBothThresholdsTheRatesHold) {
  // At a baseline of 2, 5 % is 0.1: both thresholds bind.
  const GateThreshold both = {.relative = 0.05, .absolute = 0.1, .is_strict = true};
  int fails = 0;
  int passes = 0;
  for (int run = 0; run < kRuns; ++run) {
    Random random(DeriveSeed(11, static_cast<uint64_t>(run)));
    std::vector<double> baseline;
    std::vector<double> candidate;
    for (int i = 0; i < 8; ++i) {
      baseline.push_back(2 * std::exp(0.05 * random.Normal()));
      candidate.push_back(baseline.back() * 1.05 * std::exp(kSd * random.Normal()));
    }
    const GateScores scores = ScoreGate(baseline, candidate, both).value();
    const GateDecision decision = DecideGate(scores, {}).value().decision;
    fails += decision == GateDecision::kFail;
    passes += decision == GateDecision::kPass;
  }
  EXPECT_LE(fails, kRuns * (0.01 + Slack(0.01)));
  EXPECT_NEAR(passes, kRuns * 0.0572, kRuns * (Slack(0.0572) + 0.005));
}

}  // namespace
}  // namespace tare::stats
