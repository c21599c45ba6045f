#include "workloads/load/schedule.h"

#include <algorithm>
#include <cmath>

#include "gtest/gtest.h"
#include "workloads/load/quantity.h"

namespace tare::load {
namespace {

TEST(Quantity, ReadsDurationsAndRates) {
  const std::pair<const char*, int64_t> durations[] = {{"40ns", 40},
                                                       {"250us", 250'000},
                                                       {"1.5ms", 1'500'000},
                                                       {"2s", 2'000'000'000},
                                                       {"1min", 60'000'000'000},
                                                       {"0s", 0},
                                                       {"60min", 3'600'000'000'000}};
  for (const auto& [text, ns] : durations) EXPECT_EQ(ParseDurationNs(text), ns) << text;
  for (const char* text :
       {"", "5", "s", "-1s", "1 s", "1h", "1e3s", "infs", "nans", "61min", ".5s"}) {
    EXPECT_EQ(ParseDurationNs(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseRate("500/s"), 500);
  EXPECT_EQ(ParseRate("0.5/s"), 0.5);
  for (const char* text : {"", "500", "500/min", "0/s", "-5/s", "0.0001/s", "20000000/s", "x/s"}) {
    EXPECT_EQ(ParseRate(text), std::nullopt) << text;
  }
}

TEST(Quantity, IsWrittenForPeople) {
  EXPECT_EQ(FormatNs(17), "17 ns");
  EXPECT_EQ(FormatNs(3'104'000), "3.1 ms");
  EXPECT_EQ(FormatNs(1'250'000'000), "1.25 s");
  EXPECT_EQ(FormatRate(499.96), "500.0/s");
}

TEST(Schedule, OfAConstantRateHasEqualGapsThatDoNotAddUpErrors) {
  EXPECT_EQ(ConstantTimes(500, 4), (SendTimes{0, 2'000'000, 4'000'000, 6'000'000}));
  EXPECT_EQ(ConstantTimes(3, 4), (SendTimes{0, 333'333'333, 666'666'667, 1'000'000'000}));
  EXPECT_EQ(ConstantTimes(30'000, 3'000'001).back(), 100'000'000'000);
  EXPECT_TRUE(ConstantTimes(1, 0).empty());
}

TEST(Schedule, OfAPoissonProcessHasExponentialGaps) {
  constexpr int64_t kCount = 200'000;
  const SendTimes times = PoissonTimes(1'000, kCount, 42);
  ASSERT_TRUE(std::is_sorted(times.begin(), times.end()));
  double sum = 0;
  double squares = 0;
  int64_t longer = 0;
  for (int64_t i = 0, last_ns = 0; i < kCount; ++i) {
    const int64_t time_ns = times[static_cast<size_t>(i)];
    const double gap_ms = static_cast<double>(time_ns - last_ns) / 1e6;
    last_ns = time_ns;
    sum += gap_ms;
    squares += gap_ms * gap_ms;
    if (gap_ms > 1) ++longer;
  }
  // Mean and standard deviation are both 1 ms. Four standard errors: of a mean 4 / sqrt(n), of a
  // variance 4 × sqrt(8 / n), of a share p 4 × sqrt(p (1 - p) / n).
  const double mean = sum / kCount;
  EXPECT_NEAR(mean, 1, 4 / std::sqrt(kCount));
  EXPECT_NEAR(squares / kCount - mean * mean, 1, 4 * std::sqrt(8.0 / kCount));
  EXPECT_NEAR(static_cast<double>(longer) / kCount, std::exp(-1), 4 * std::sqrt(0.2325 / kCount));
}

TEST(Schedule, FollowsTheSeed) {
  EXPECT_EQ(PoissonTimes(500, 100, 1), PoissonTimes(500, 100, 1));
  EXPECT_NE(PoissonTimes(500, 100, 1), PoissonTimes(500, 100, 2));
  const SendTimes longer = PoissonTimes(500, 100, 1);
  const SendTimes shorter = PoissonTimes(500, 50, 1);
  EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
}

TEST(Schedule, OfStepsChangesItsRateAtTheirEnds) {
  const std::vector<RateStep> steps = {{100, 30'000'000}, {1'000, 2'500'000}, {100, 1}};
  EXPECT_EQ(std::get<SendTimes>(StepTimes(steps, 8)),
            (SendTimes{0, 10'000'000, 20'000'000,           // 100/s for 30 ms
                       30'000'000, 31'000'000, 32'000'000,  // 1000/s for 2.5 ms
                       32'500'000, 42'500'000}));           // 100/s until the end
}

TEST(Schedule, RefusesStepsThatAreNeverReached) {
  const std::vector<RateStep> steps = {{100, 30'000'000}, {1'000, 2'500'000}, {100, 1}};
  const auto error = std::get<sdk::Error>(StepTimes(steps, 6));
  EXPECT_EQ(error.message, "the requests run out in step 2 of 3");
  EXPECT_EQ(error.detail, "6 samples were asked for; ask for more, or drop steps");
}

TEST(Schedule, ReadsSteps) {
  const RateStep step = std::get<RateStep>(ParseRateStep("0.5/s for 1.5s"));
  EXPECT_EQ(step.rate, 0.5);
  EXPECT_EQ(step.duration_ns, 1'500'000'000);
  for (const char* text : {"", "500/s", "500/s for ", "500/s for 0s", "500/s  for 2s", "500 for 2s",
                           "for 2s", "500/s for 2s for 3s"}) {
    const auto parsed = ParseRateStep(text);
    ASSERT_TRUE(std::holds_alternative<sdk::Error>(parsed)) << text;
    EXPECT_EQ(std::get<sdk::Error>(parsed).message, "'" + std::string(text) + "' is not a step");
  }
}

}  // namespace
}  // namespace tare::load
