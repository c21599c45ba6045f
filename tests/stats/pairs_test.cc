// The paired estimators on measured pairs, against values computed independently with raw medians
// (tick 0), mean and 95 % t interval over the ten processes, rounded to 0.01 us.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stats/carry_over.h"
#include "stats/order_strata.h"
#include "stats/t_interval.h"
#include "tests/stats/pairs_file.h"

namespace tare::stats {
namespace {

struct ProcessEstimates {
  std::vector<double> paired_us;
  std::vector<double> on_baseline_us;
  std::vector<double> on_candidate_us;
  std::vector<double> carry_us;
  std::vector<double> free_us;
  std::vector<double> gap_us;
};

ProcessEstimates EstimateProcesses(const std::string& name) {
  ProcessEstimates result;
  for (const std::vector<MeasuredPair>& pairs : ReadPairs(name)) {
    std::vector<double> baseline_first;
    std::vector<double> candidate_first;
    SamplesAfter after_baseline;
    SamplesAfter after_candidate;
    for (size_t i = 0; i < pairs.size(); ++i) {
      const MeasuredPair& pair = pairs[i];
      const double baseline_us = static_cast<double>(pair.baseline_ns) / 1e3;
      const double candidate_us = static_cast<double>(pair.candidate_ns) / 1e3;
      (pair.is_baseline_first ? baseline_first : candidate_first)
          .push_back(candidate_us - baseline_us);
      if (i == 0) continue;
      // The second of the pair before is what came last.
      SamplesAfter& after = pairs[i - 1].is_baseline_first ? after_candidate : after_baseline;
      if (pair.is_baseline_first) {
        after.baseline.push_back(baseline_us);
      } else {
        after.candidate.push_back(candidate_us);
      }
    }
    const auto paired = EstimateStratified(baseline_first, candidate_first, 0);
    const auto carry = EstimateCarryOver(after_baseline, after_candidate, 0);
    const std::vector<SamplesAfter> predecessors = {after_baseline, after_candidate};
    const auto free = DifferenceAfterSame(predecessors, 0);
    if (!paired.ok() || !carry.ok() || !free.ok()) {
      ADD_FAILURE() << paired.status() << carry.status() << free.status();
      return result;
    }
    result.paired_us.push_back(paired->value);
    result.on_baseline_us.push_back(carry->on_baseline);
    result.on_candidate_us.push_back(carry->on_candidate);
    result.carry_us.push_back(carry->mean);
    result.free_us.push_back(*free);
    result.gap_us.push_back(*free - paired->value);
  }
  return result;
}

void ExpectInterval(const std::vector<double>& values, double confidence, const Interval& expected,
                    double tolerance) {
  const absl::StatusOr<Interval> interval = TInterval(values, confidence);
  ASSERT_TRUE(interval.ok()) << interval.status();
  EXPECT_NEAR(interval->value, expected.value, tolerance);
  EXPECT_NEAR(interval->low, expected.low, tolerance);
  EXPECT_NEAR(interval->high, expected.high, tolerance);
}

TEST(Pairs, StratifiedEstimatesOfRandomOrdersMatchThePublishedOnes) {
  const struct {
    const char* name;
    Interval expected_us;
  } kCases[] = {{"identical_random", {0.54, -0.97, 2.05}},
                {"middle_25us_random", {28.69, 26.43, 30.95}},
                {"end_500us_random", {491.87, 488.02, 495.71}},
                {"end_500us_washout", {499.52, 497.89, 501.15}}};
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.name);
    ExpectInterval(EstimateProcesses(test.name).paired_us, 0.95, test.expected_us, 0.006);
  }
}

TEST(Pairs, CarryOverFreeEstimatesMatchThePublishedOnes) {
  const struct {
    const char* name;
    Interval expected_us;
  } kCases[] = {{"identical_random", {1.35, -3.62, 6.33}},
                {"middle_25us_random", {29.59, 26.89, 32.28}},
                {"end_500us_random", {509.62, 499.08, 520.17}},
                {"end_500us_washout", {499.49, 493.24, 505.73}}};
  for (const auto& test : kCases) {
    SCOPED_TRACE(test.name);
    ExpectInterval(EstimateProcesses(test.name).free_us, 0.95, test.expected_us, 0.006);
  }
}

TEST(Pairs, CarryOverOfADelayAtTheEndMatchesThePublishedOne) {
  const ProcessEstimates end = EstimateProcesses("end_500us_random");
  ExpectInterval(end.on_baseline_us, 0.95, {7.81, -0.18, 15.79}, 0.006);
  ExpectInterval(end.on_candidate_us, 0.95, {8.16, -7.93, 24.25}, 0.006);
  ExpectInterval(end.carry_us, 0.95, {8.0, -1.2, 17.2}, 0.06);
  ExpectInterval(end.gap_us, 0.95, {17.8, 6.1, 29.4}, 0.06);
  ExpectInterval(end.gap_us, 0.99, {17.8, 1.1, 34.4}, 0.06);
  ExpectInterval(EstimateProcesses("end_500us_washout").on_baseline_us, 0.95, {1.35, -13.75, 16.45},
                 0.006);
}

TEST(Pairs, NoOtherRandomOrderHasAGapAt99Percent) {
  for (const char* name : {"identical_random", "middle_25us_random", "end_500us_washout"}) {
    SCOPED_TRACE(name);
    const absl::StatusOr<Interval> gap = TInterval(EstimateProcesses(name).gap_us, 0.99);
    ASSERT_TRUE(gap.ok()) << gap.status();
    EXPECT_LT(gap->low, 0);
    EXPECT_GT(gap->high, 0);
  }
}

}  // namespace
}  // namespace tare::stats
