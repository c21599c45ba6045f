// Plans of ladders: rungs, passes, and processes in other orders beside them.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "coordinator/plan/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/plan/planned.h"

namespace tare::coordinator {
namespace {

v1::Experiment LadderOf(absl::string_view more) {
  return ExperimentOf(
      absl::StrCat("name: x\nworkload: { command: prog }\narms: { own: }\n"
                   "ladder: { delays: [0us, 10us, 50us], at: middle, passes: 2 }\n",
                   more));
}

TEST(LadderPlan, HasARungACellAndThePassesAsRounds) {
  const v1::Experiment experiment = LadderOf("design: { processes: 3, sets: 20, warmup: 4 }\n");
  const v1::Plan plan = PlanOf(experiment);
  ASSERT_EQ(plan.cells_size(), 3);
  EXPECT_EQ(plan.cells(1).delay_ns(), 10'000);
  EXPECT_EQ(plan.cells(1).levels_size(), 0);
  EXPECT_EQ(plan.rounds_per_pass(), 3);
  EXPECT_EQ(plan.trials_size(), 2 * 3 * 3);
  ASSERT_EQ(plan.arms_size(), 2);
  EXPECT_EQ(plan.arms(1).name(), "delayed");
  EXPECT_EQ(plan.arms(1).repeats(), "own");
  ASSERT_EQ(plan.comparisons_size(), 1);
  EXPECT_EQ(plan.comparisons(0).kind(), v1::COMPARISON_KIND_KNOWN_DELAY);
  std::set<std::pair<int32_t, int32_t>> seen;
  for (const v1::Trial& trial : plan.trials()) {
    EXPECT_TRUE(seen.insert({trial.round(), trial.cell()}).second);
    EXPECT_EQ(trial.sample_arms_size(), 2 * 24);
    EXPECT_EQ(trial.studied_order(), v1::ORDER_UNSPECIFIED);
  }
  EXPECT_EQ(seen.size(), size_t{18});
}

TEST(LadderPlan, GivesEachTrialTheWaitOfItsRung) {
  const v1::Experiment experiment = LadderOf("design: { processes: 2, sets: 5, warmup: 0 }\n");
  const v1::Plan plan = PlanOf(experiment);
  for (const v1::Trial& trial : plan.trials()) {
    const v1::TrialSpec spec = MakeTrialSpec(experiment, plan, trial.trial());
    EXPECT_EQ(spec.arms(0).known_delay_ns(), 0);
    EXPECT_EQ(spec.arms(1).known_delay_ns(), experiment.ladder().delays_ns(trial.cell()));
    EXPECT_EQ(spec.delay_place(), v1::DELAY_PLACE_MIDDLE);
    EXPECT_EQ(spec.washout_arm(), 0);
  }
}

TEST(LadderPlan, ShufflesItsRungsInEveryRound) {
  const v1::Plan plan = PlanOf(LadderOf("design: { processes: 20, sets: 1, warmup: 0 }\n"));
  std::map<int32_t, int> first;
  for (int i = 0; i < plan.trials_size(); i += 3) ++first[plan.trials(i).cell()];
  EXPECT_EQ(first.size(), size_t{3});
}

TEST(LadderPlan, AddsAProcessOfEveryStudiedOrderToEveryRung) {
  const v1::Plan plan =
      PlanOf(LadderOf("design: { processes: 2, sets: 6, warmup: 0 }\nstudy: [fixed, blocked]\n"));
  EXPECT_EQ(plan.order(), v1::ORDER_RANDOM);
  EXPECT_EQ(plan.trials_size(), 3 * 2 * 2 * 3);
  std::map<int, int> count;
  for (const v1::Trial& trial : plan.trials()) {
    ++count[trial.studied_order()];
    const std::vector<uint32_t> arms(trial.sample_arms().begin(), trial.sample_arms().end());
    if (trial.studied_order() == v1::ORDER_FIXED) {
      EXPECT_THAT(arms, testing::ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1));
    } else if (trial.studied_order() == v1::ORDER_BLOCKED) {
      EXPECT_TRUE(std::is_sorted(arms.begin(), arms.end()));
    }
  }
  EXPECT_EQ(count[v1::ORDER_UNSPECIFIED], 12);
  EXPECT_EQ(count[v1::ORDER_FIXED], 12);
  EXPECT_EQ(count[v1::ORDER_BLOCKED], 12);
}

TEST(LadderPlan, IsToldAsALadder) {
  const v1::Experiment experiment =
      LadderOf("design: { processes: 3, sets: 20, warmup: 4 }\nstudy: [blocked]\n");
  const v1::Plan plan = PlanOf(experiment, 5);
  const std::string text = FormatPlan(plan, experiment, MakeForecast(plan, {}));
  EXPECT_THAT(text, testing::HasSubstr("ladder       waits of 0, 10us, 50us at the middle of the "
                                       "operation; 2 passes of\n             3 rounds, blocked "
                                       "order beside it"));
  EXPECT_THAT(text, testing::HasSubstr("own, delayed (own and a wait)"));
  EXPECT_THAT(text, testing::HasSubstr("in blocked order"));
  EXPECT_THAT(text, testing::HasSubstr("delay 10us"));
}

}  // namespace
}  // namespace tare::coordinator
