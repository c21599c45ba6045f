// Plans of gates: looks, control arms, lockstep, servers.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/plan/forecast.h"
#include "coordinator/plan/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/plan/planned.h"

namespace tare::coordinator {
namespace {

using testing::ElementsAre;

TEST(Looks, AreThreeBelowSixteenRoundsAndFiveFromThereOn) {
  const auto looks_of = [](const char* stop) {
    const v1::Plan plan =
        PlanOf(TwoArms(absl::StrCat("design: { pairing: rounds }\nstop: { ", stop, " }\n")));
    return std::vector<int32_t>(plan.looks().begin(), plan.looks().end());
  };
  EXPECT_THAT(looks_of("max_rounds: 10"), ElementsAre(4, 7, 10));
  EXPECT_THAT(looks_of("max_rounds: 20"), ElementsAre(4, 8, 12, 16, 20));
  EXPECT_THAT(looks_of("max_rounds: 20, looks: 2"), ElementsAre(10, 20));
}

TEST(Looks, OfAnOpenEndedRunComeAfterEveryRound) {
  const v1::Plan plan =
      PlanOf(TwoArms("design: { pairing: rounds }\nthreshold: { relative: 5% }\n"
                     "stop: { open_ended: on, max_rounds: 9 }\n"));
  EXPECT_THAT(plan.looks(), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(plan.trials_size(), 9 * plan.arms_size());
}

TEST(Looks, AreNoneWithoutStop) { EXPECT_TRUE(PlanOf(TwoArms("")).looks().empty()); }

TEST(Looks, AreSaidBeforehand) {
  const auto text_of = [](const char* stop) {
    const v1::Experiment experiment =
        TwoArms(absl::StrCat("design: { pairing: rounds }\nthreshold: { relative: 5% }\n", stop));
    const v1::Plan plan = PlanOf(experiment);
    return FormatPlan(plan, experiment, MakeForecast(plan, {}));
  };
  EXPECT_THAT(text_of("stop: { max_rounds: 10 }\n"),
              testing::HasSubstr("\nlooks        after 4, 7, 10 rounds, and ends at the first that "
                                 "decides\n"));
  EXPECT_THAT(
      text_of("stop: { open_ended: on }\n"),
      testing::HasSubstr("\nlooks        after every round; a session measures 10 rounds\n"));
  EXPECT_THAT(text_of(""), testing::Not(testing::HasSubstr("looks")));
}

TEST(SameAs, StandsInForTheControlThatTheChecksWouldAdd) {
  const v1::Plan plan =
      PlanOf(ExperimentOf("name: x\nworkload: { command: c, config: { size: 1 } }\n"
                          "arms: { a: { config: { kind: k } }, again: { same_as: a }, b: }\n"
                          "checks: { known_delay: off }\n"));
  ASSERT_EQ(plan.arms_size(), 3);
  EXPECT_EQ(plan.arms(2).name(), "again");
  EXPECT_EQ(plan.arms(2).kind(), v1::ARM_KIND_CONTROL);
  EXPECT_EQ(plan.arms(2).repeats(), "a");
  EXPECT_EQ(plan.arms(2).config_size(), 2);
  EXPECT_EQ(plan.comparisons(1).candidate(), "again");
}

TEST(KnownDelay, IsTheThresholdWhereThereIsOne) {
  const auto arm_of = [](const char* threshold) {
    const v1::Plan plan = PlanOf(TwoArms(threshold));
    return plan.arms(plan.arms_size() - 1);
  };
  EXPECT_EQ(arm_of("").known_delay_share_ppm(), 50'000);
  EXPECT_EQ(arm_of("threshold: { relative: 2% }\n").known_delay_share_ppm(), 20'000);
  EXPECT_EQ(arm_of("threshold: { relative: 2% }\n").known_delay_ns(), -1);
  EXPECT_EQ(arm_of("threshold: { absolute: 30us }\n").known_delay_ns(), 30'000);
  EXPECT_EQ(arm_of("threshold: { relative: 2%, absolute: 30us }\n").known_delay_min_ns(), 30'000);
}

TEST(Lockstep, HasOneProcessAnArmAndTheSamplesOfAllInSets) {
  const v1::Plan plan = PlanOf(ExperimentOf(
      "name: x\nworkload: { command: old }\narms: { a: , b: { command: [new, '-v'] } }\n"
      "design: { pairing: lockstep, processes: 3, sets: 8, warmup: 2 }\n"));
  ASSERT_EQ(plan.trials_size(), 3);
  for (const v1::Trial& trial : plan.trials()) {
    ASSERT_EQ(trial.roles_size(), 4);
    EXPECT_EQ(trial.roles(0).role(), "workload-a");
    EXPECT_EQ(trial.roles(0).command(0), "old");
    EXPECT_EQ(trial.roles(1).arm(), "b");
    EXPECT_THAT(trial.roles(1).command(), ElementsAre("new", "-v"));
    EXPECT_EQ(trial.roles(2).arm(), "control");
    EXPECT_EQ(trial.roles(2).command(0), "old");
    ASSERT_EQ(trial.sample_arms_size(), (8 + 2) * 4);
    for (int set = 0; set < 10; ++set) {
      std::vector<uint32_t> arms(trial.sample_arms().begin() + set * 4,
                                 trial.sample_arms().begin() + set * 4 + 4);
      std::sort(arms.begin(), arms.end());
      EXPECT_THAT(arms, ElementsAre(0, 1, 2, 3));
    }
  }
}

TEST(Servers, RunOnlyInTheTrialsOfTheArmsThatUseThem) {
  const v1::Experiment experiment = ExperimentOf(
      "name: x\n"
      "services:\n"
      "  near: { proxy: { to: new } }\n"
      "  db: { postgres: }\n"
      "  old: { server: { command: [s, '{port}', 'db={db}'] } }\n"
      "  new: { server: { command: [s, '{port}'] } }\n"
      "workload: { command: tare-load }\n"
      "arms: { a: { uses: old }, b: { uses: near } }\n"
      "design: { pairing: rounds, rounds: 2 }\nchecks: { control: off }\n");
  const v1::Plan plan = PlanOf(experiment);
  for (const v1::Trial& trial : plan.trials()) {
    const v1::TrialSpec spec = MakeTrialSpec(experiment, plan, trial.trial());
    std::vector<std::string> names;
    for (const v1::Service& service : spec.services()) names.push_back(service.name());
    if (trial.roles(0).arm() == "a") {
      EXPECT_THAT(names, ElementsAre("db", "old"));
    } else {
      EXPECT_THAT(names, ElementsAre("new", "near"));
    }
  }
}

}  // namespace
}  // namespace tare::coordinator
