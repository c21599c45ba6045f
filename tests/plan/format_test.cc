// The forecast, and the plan as text.

#include "coordinator/plan/format.h"

#include <algorithm>

#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/plan/planned.h"

namespace tare::coordinator {
namespace {

TEST(Forecast, CountsOperationsAndOverhead) {
  const v1::Plan plan =
      PlanOf(TwoArms("design: { processes: 5, sets: 20, warmup: 5, washout: 1, iterations: 3 }\n"));
  Forecast forecast = MakeForecast(plan, {});
  EXPECT_EQ(forecast.operations_count, 5 * 25 * 4 * (3 + 1));
  EXPECT_EQ(forecast.units_count, 5);
  EXPECT_EQ(forecast.overhead_ns, 5 * kTrialOverheadNs);
  EXPECT_FALSE(forecast.duration_ns.has_value());
  EXPECT_FALSE(forecast.visible_ns.has_value());

  forecast = MakeForecast(plan, {.operation_ns = {}, .spread_ns = 1000});
  EXPECT_DOUBLE_EQ(forecast.visible_ns.value(), 1000 * forecast.visible_spreads.value());

  forecast = MakeForecast(plan, {.operation_ns = 1e6, .spread_ns = {}, .trial_overhead_ns = 1e9});
  EXPECT_EQ(forecast.duration_ns, 5e9 + 2000 * 1e6);
}

// Section "minimum detectable effect": exact factors from the non-central t distribution.
TEST(Forecast, KnowsTheVisibleEffect) {
  for (const auto& [processes, factor] : std::vector<std::pair<int, double>>{
           {3, 3.264}, {5, 1.682}, {10, 0.996}, {20, 0.660}, {30, 0.529}}) {
    const v1::Plan plan = PlanOf(
        TwoArms(absl::StrCat("design: { sets: 1, warmup: 0, processes: ", processes, " }\n")));
    EXPECT_EQ(MakeForecast(plan, {}).visible_spreads, factor) << processes;
  }
  // Exact: 0.4042 and 0.2829.
  auto visible = [](int processes) {
    return *MakeForecast(PlanOf(TwoArms(absl::StrCat(
                             "design: { sets: 1, warmup: 0, processes: ", processes, " }\n"))),
                         {})
                .visible_spreads;
  };
  EXPECT_NEAR(visible(50), 0.4042, 0.4042 * 0.04);
  EXPECT_NEAR(visible(100), 0.2829, 0.2829 * 0.04);
  EXPECT_FALSE(
      MakeForecast(PlanOf(TwoArms("design: { processes: 2 }\n")), {}).visible_spreads.has_value());
}

TEST(FormattedPlan, SaysWhatWillBeDone) {
  const v1::Experiment experiment = TwoArms(
      "question: What does a live preview cost when it is a transaction that is rolled back, "
      "and why?\n"
      "sweep: { size: [10, 200] }\ndesign: { processes: 8, sets: 20, warmup: 5, washout: 1 }\n");
  const v1::Plan plan = PlanOf(experiment, 17);
  EXPECT_EQ(FormatPlan(plan, experiment, MakeForecast(plan, {})), R"(x
What does a live preview cost when it is a transaction that is rolled back, and
why?

trials       16 trials: 8 rounds of 2 cells
pairing      in-process: a fresh process for each trial hosts all arms
arms         one, two, control (one again), known-delay (one and a wait of 5 %
             of its warm-up median)
samples      100 samples a trial: 5 warm-up and 20 timed sets of 4 arms, 1
             untimed operation before each
order        random, every arm in every position equally often
seed         17
takes        about 6 s to start and check 16 trials, and 3200 operations of
             unknown length; if each takes 1 ms: 10 s in all
should see   with 80 % probability a difference of 1.16 times its own spread
             from process to process (standard deviation over 8 of them); where
             that is 1 %, a difference of 1.2 %

trial  round  cell      first timed samples
    0      0  size 200  one two control known-delay
    1      0  size 10   two known-delay one control
    2      1  size 200  known-delay two control one
    3      1  size 10   one control known-delay two
    4      2  size 200  control one known-delay two
    5      2  size 10   control one two known-delay
    6      3  size 10   one two control known-delay
    7      3  size 200  control known-delay one two
    8      4  size 200  control known-delay two one
    9      4  size 10   control known-delay two one
   10      5  size 10   two one control known-delay
   11      5  size 200  two one control known-delay
and 4 more trials
)");
}

TEST(FormattedPlan, OfRoundsNamesTheArmOfEachTrial) {
  const v1::Experiment experiment = TwoArms("design: { pairing: rounds, rounds: 2 }\n");
  const v1::Plan plan = PlanOf(experiment, 17);
  EXPECT_EQ(
      FormatPlan(plan, experiment, MakeForecast(plan, {.operation_ns = 1e9, .spread_ns = {}})), R"(x

trials       6 trials: 2 rounds of 1 cell and 3 arms
pairing      rounds: a fresh process for each arm
arms         one, two, control (one again)
samples      1 sample a trial: 0 warm-up and 1 timed sets of 1 arm
order        random, every arm in every position equally often
seed         17
takes        about 8 s for 6 trials with 6 operations
should see   nothing can be said: an interval needs 3 units at least, here 2

trial  round  cell  arm
    0      0  -     control
    1      0  -     one
    2      0  -     two
    3      1  -     one
    4      1  -     two
    5      1  -     control
)");
}

TEST(FormattedPlan, StaysWithin80Columns) {
  std::string arms;
  for (int i = 0; i < 16; ++i) absl::StrAppend(&arms, "an-arm-with-a-long-name-", i, ": , ");
  const v1::Experiment experiment = ExperimentOf(absl::StrCat(
      "name: x\nworkload: { command: c, config: { ", std::string(64, 'k'), ": ü } }\narms: { ",
      arms, "}\nsweep: { ", std::string(64, 'k'), ": [üüüüüüüüüüüüüüüüüü, ö] }\n"));
  const v1::Plan plan = PlanOf(experiment);
  const std::string text = FormatPlan(plan, experiment, MakeForecast(plan, {}));
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    const auto width = std::count_if(line.begin(), line.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    });
    EXPECT_LE(width, 80) << line;
  }
}

}  // namespace
}  // namespace tare::coordinator
