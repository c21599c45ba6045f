// The analysis as a whole on identical arms: how often does it call them different?
//
// Deterministic: synthetic samples, fixed seeds, bounds of five binomial standard deviations.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/analysis/report_matchers.h"
#include "tests/analysis/run_builder.h"

namespace tare::coordinator {
namespace {

constexpr int kRuns = 1'000;

void ExpectCount(int count, double rate) {
  EXPECT_NEAR(count, kRuns * rate, 5 * std::sqrt(kRuns * rate * (1 - rate)));
}

// Processes that differ in level and in the effect itself, a faster second position, outliers.
Model NoisyEqualArms(uint64_t seed) {
  return [seed](const SampleContext& context) {
    Random process(DeriveSeed(seed, static_cast<uint64_t>(context.round)));
    const double level_ns = 850'000 * std::exp(0.09 * process.Normal());
    const double spread_ns = 7'000 * process.Normal();
    double value_ns = level_ns * std::exp(0.06 * context.random->Normal());
    if (context.arm == "rollback") value_ns += spread_ns;
    if (!context.is_first_in_set) value_ns -= 4'000;
    if (context.random->Below(50) == 0) value_ns += 300'000;
    return value_ns;
  };
}

TEST(Calibration, ARandomOrderOfEqualArmsIsCalledDifferentAsOftenAsItsLevelSays) {
  RunShape shape;
  shape.has_control = false;
  shape.warmup_sets = 0;
  shape.sets = 30;
  int different = 0;
  int refused = 0;
  for (int run = 0; run < kRuns; ++run) {
    shape.seed = static_cast<uint64_t>(run) + 1;
    const v1::Verdict verdict = ReportOf(MakeRun(shape, NoisyEqualArms(shape.seed))).verdict();
    different += verdict == v1::VERDICT_SLOWER || verdict == v1::VERDICT_FASTER;
    refused += verdict == v1::VERDICT_REFUSED;
  }
  ExpectCount(different, 0.05);
  // Naming carry-over by either of two 99 % intervals is false at most 2 % of the time, and thin
  // strata of 30 shuffled sets are rare.
  EXPECT_LT(refused, 30);
}

TEST(Calibration, EqualRoundsAreCalledDifferentAsOftenAsTheirLevelSays) {
  RunShape shape;
  shape.pairing = v1::PAIRING_ROUNDS;
  shape.has_control = false;
  shape.warmup_sets = 0;
  shape.sets = 1;
  int different = 0;
  for (int run = 0; run < kRuns; ++run) {
    shape.seed = static_cast<uint64_t>(run) + 1;
    const v1::Verdict verdict = ReportOf(MakeRun(shape, EqualArms)).verdict();
    different += verdict == v1::VERDICT_SLOWER || verdict == v1::VERDICT_FASTER;
  }
  ExpectCount(different, 0.05);
}

TEST(Calibration, AnEqualControlIsCalledDifferentInOnePercentOfRuns) {
  RunShape shape;
  shape.warmup_sets = 0;
  shape.sets = 30;
  shape.plans = {10, 40};
  int differs = 0;
  for (int run = 0; run < kRuns; ++run) {
    shape.seed = static_cast<uint64_t>(run) + 1;
    bool is_refused = false;
    const v1::Report report = ReportOf(MakeRun(shape, EqualArms));
    for (const v1::ReportComparison& comparison : report.comparisons()) {
      is_refused |= comparison.control().status() == v1::CHECK_STATUS_REFUSED;
    }
    differs += is_refused;
  }
  ExpectCount(differs, 0.01);
}

}  // namespace
}  // namespace tare::coordinator
