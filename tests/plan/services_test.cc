// Which services a trial needs, in which order, and what a level of a proxy's delay does.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/plan/planned.h"

namespace tare::coordinator {
namespace {

// The proxy comes before its server in the file.
v1::Experiment WithProxy(absl::string_view more) {
  return ExperimentOf(
      absl::StrCat("name: x\n"
                   "services: { wire: { proxy: { to: db, delay: 5ms } }, unused: { postgres: },"
                   " db: { postgres: } }\n"
                   "workload: { command: c, config: { size: 1 } }\n"
                   "arms: { direct: { uses: db }, rollback: { uses: wire } }\n",
                   more));
}

std::vector<std::string> NamesOf(const v1::TrialSpec& spec) {
  std::vector<std::string> names;
  for (const v1::Service& service : spec.services()) names.push_back(service.name());
  return names;
}

TEST(PlannedServices, AreThoseOfEachArmAndOfWhatItRepeats) {
  const v1::Plan plan = PlanOf(WithProxy("compare: [{ baseline: rollback, candidate: direct }]\n"));
  ASSERT_EQ(plan.arms_size(), 4);
  EXPECT_THAT(plan.arms(0).uses(), testing::ElementsAre("db"));
  EXPECT_THAT(plan.arms(1).uses(), testing::ElementsAre("wire"));
  EXPECT_EQ(plan.arms(2).name(), "control");
  EXPECT_THAT(plan.arms(2).uses(), testing::ElementsAre("wire"));
  EXPECT_EQ(plan.arms(3).name(), "known-delay");
  EXPECT_THAT(plan.arms(3).uses(), testing::ElementsAre("wire"));
}

TEST(PlannedServices, OfAProcessAreThoseOfAllItsArms) {
  const v1::Experiment experiment = WithProxy("");
  const v1::Plan plan = PlanOf(experiment);
  EXPECT_THAT(plan.trials(0).roles(0).needs(), testing::ElementsAre("db", "wire"));
  EXPECT_THAT(NamesOf(MakeTrialSpec(experiment, plan, 0)), testing::ElementsAre("db", "wire"));
}

TEST(PlannedServices, StartAServerForTheProxyInFrontOfIt) {
  const v1::Experiment experiment = WithProxy("design: { pairing: rounds, order: fixed }\n");
  const v1::Plan plan = PlanOf(experiment);
  ASSERT_EQ(plan.trials(1).roles(0).arm(), "rollback");
  EXPECT_THAT(plan.trials(1).roles(0).needs(), testing::ElementsAre("wire"));
  EXPECT_THAT(NamesOf(MakeTrialSpec(experiment, plan, 1)), testing::ElementsAre("db", "wire"));
  ASSERT_EQ(plan.trials(0).roles(0).arm(), "direct");
  EXPECT_THAT(NamesOf(MakeTrialSpec(experiment, plan, 0)), testing::ElementsAre("db"));
}

TEST(PlannedServices, HaveTheDelayOfTheCellAndTheArmsHaveNot) {
  const v1::Experiment experiment =
      WithProxy("sweep: { wire.delay: [0, 250us, 1ms], size: [1, 2] }\n");
  const v1::Plan plan = PlanOf(experiment);
  ASSERT_EQ(plan.cells_size(), 6);
  EXPECT_EQ(plan.cells(0).levels(0).ShortDebugString(), "name: \"wire.delay\" text: \"0\"");
  const int64_t delays_ns[] = {0, 250'000, 1'000'000};
  for (const v1::Trial& trial : plan.trials()) {
    const v1::TrialSpec spec = MakeTrialSpec(experiment, plan, trial.trial());
    EXPECT_EQ(spec.services(1).proxy().delay_ns(), delays_ns[trial.cell() / 2]);
    for (const v1::PlannedArm& arm : spec.arms()) {
      ASSERT_EQ(arm.config_size(), 1);
      EXPECT_EQ(arm.config(0).name(), "size");
      EXPECT_EQ(arm.config(0).integer(), trial.cell() % 2 + 1);
    }
  }
}

TEST(PlannedServices, KeepTheirOwnDelayWhereNoneIsSwept) {
  const v1::Experiment experiment = WithProxy("");
  const v1::TrialSpec spec = MakeTrialSpec(experiment, PlanOf(experiment), 0);
  EXPECT_EQ(spec.services(1).proxy().delay_ns(), 5'000'000);
}

}  // namespace
}  // namespace tare::coordinator
