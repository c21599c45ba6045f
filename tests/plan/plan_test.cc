#include "coordinator/plan/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/plan/planned.h"

namespace tare::coordinator {
namespace {

std::vector<std::string> NamesOf(const v1::Plan& plan) {
  std::vector<std::string> names;
  for (const v1::PlannedArm& arm : plan.arms()) names.push_back(arm.name());
  return names;
}

uint64_t Fnv(const std::string& bytes) {
  uint64_t hash = 14695981039346656037u;
  for (char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  return hash;
}

TEST(Plan, AddsAControlAndAKnownDelayOfTheBaseline) {
  const v1::Plan plan = PlanOf(TwoArms("checks: { known_delay: 25us }\n"));
  EXPECT_THAT(NamesOf(plan), testing::ElementsAre("one", "two", "control", "known-delay"));
  EXPECT_EQ(plan.arms(2).kind(), v1::ARM_KIND_CONTROL);
  EXPECT_EQ(plan.arms(2).repeats(), "one");
  EXPECT_EQ(plan.arms(2).config_size(), plan.arms(0).config_size());
  EXPECT_EQ(plan.arms(3).kind(), v1::ARM_KIND_KNOWN_DELAY);
  EXPECT_EQ(plan.arms(3).known_delay_ns(), 25'000);
  ASSERT_EQ(plan.comparisons_size(), 3);
  EXPECT_EQ(plan.comparisons(0).ShortDebugString(),
            "kind: COMPARISON_KIND_SUBJECT baseline: \"one\" candidate: \"two\"");
  EXPECT_EQ(plan.comparisons(1).ShortDebugString(),
            "kind: COMPARISON_KIND_CONTROL baseline: \"one\" candidate: \"control\"");
  EXPECT_EQ(plan.comparisons(2).ShortDebugString(),
            "kind: COMPARISON_KIND_KNOWN_DELAY baseline: \"one\" candidate: \"known-delay\"");
}

TEST(Plan, NamesAddedArmsAfterTheirBaselineWhenThereAreSeveral) {
  const v1::Plan plan =
      PlanOf(ExperimentOf("name: x\nworkload: { command: c }\narms: { a: , b: , c: }\n"
                          "compare: [{ baseline: b, candidate: c }, { baseline: a, candidate: b },"
                          " { baseline: b, candidate: a }]\n"));
  EXPECT_THAT(NamesOf(plan), testing::ElementsAre("a", "b", "c", "control-of-b", "control-of-a",
                                                  "known-delay-of-b", "known-delay-of-a"));
}

TEST(Plan, AddsNothingWhenTheChecksAreOff) {
  const v1::Plan plan = PlanOf(TwoArms("checks: { control: off, known_delay: off }\n"));
  EXPECT_THAT(NamesOf(plan), testing::ElementsAre("one", "two"));
  EXPECT_EQ(plan.comparisons_size(), 1);
}

TEST(Plan, ComparesALoneArmWithItsControlOnly) {
  const v1::Plan plan =
      PlanOf(ExperimentOf("name: x\nworkload: { command: c }\narms: { a: }\n"
                          "checks: { known_delay: off }\n"));
  EXPECT_THAT(NamesOf(plan), testing::ElementsAre("a", "control"));
  ASSERT_EQ(plan.comparisons_size(), 1);
  EXPECT_EQ(plan.comparisons(0).kind(), v1::COMPARISON_KIND_CONTROL);
}

TEST(Plan, MergesSettingsOfWorkloadArmAndCell) {
  const v1::Experiment experiment = TwoArms("sweep: { size: [10, 20] }\n");
  const v1::Plan plan = PlanOf(experiment);
  EXPECT_EQ(plan.arms(0).config(0).integer(), 1);
  EXPECT_EQ(plan.arms(0).config(1).text(), "a");
  EXPECT_EQ(plan.arms(1).config(1).text(), "w");
  EXPECT_EQ(plan.arms(1).config(2).integer(), 2);
  for (const v1::Trial& trial : plan.trials()) {
    const v1::TrialSpec spec = MakeTrialSpec(experiment, plan, trial.trial());
    for (const v1::PlannedArm& arm : spec.arms()) {
      EXPECT_EQ(arm.config(0).name(), "size");
      EXPECT_EQ(arm.config(0).integer(), trial.cell() == 0 ? 10 : 20);
    }
  }
}

TEST(Plan, HasAllCombinationsOfLevelsTheLastFactorFastest) {
  const v1::Plan plan =
      PlanOf(ExperimentOf("name: x\nworkload: { command: c, config: { a: 1, b: x } }\n"
                          "arms: { one: , two: }\nsweep: { a: [1, 2], b: [x, y, z] }\n"));
  ASSERT_EQ(plan.cells_size(), 6);
  std::string text;
  for (const v1::Cell& cell : plan.cells()) {
    absl::StrAppend(&text, cell.cell(), ":", cell.levels(0).integer(), cell.levels(1).text(), " ");
  }
  EXPECT_EQ(text, "0:1x 1:1y 2:1z 3:2x 4:2y 5:2z ");
}

TEST(Plan, MakesEachRoundACompleteShuffledReplicate) {
  const v1::Plan plan = PlanOf(TwoArms("sweep: { size: [1, 2, 3] }\ndesign: { processes: 20 }\n"));
  ASSERT_EQ(plan.trials_size(), 60);
  std::set<std::string> orders;
  for (int round = 0; round < 20; ++round) {
    std::set<int> cells;
    std::string order;
    for (int i = 0; i < 3; ++i) {
      const v1::Trial& trial = plan.trials(round * 3 + i);
      EXPECT_EQ(trial.trial(), round * 3 + i);
      EXPECT_EQ(trial.round(), round);
      cells.insert(trial.cell());
      absl::StrAppend(&order, trial.cell());
    }
    EXPECT_EQ(cells.size(), 3u);
    orders.insert(order);
  }
  EXPECT_GE(orders.size(), 4u);
}

TEST(Plan, ListsWarmUpAndTimedSamplesAsCompleteSets) {
  for (const char* order : {"random", "fixed", "blocked"}) {
    const v1::Plan plan = PlanOf(TwoArms(
        absl::StrCat("design: { sets: 31, warmup: 7, processes: 1, order: ", order, " }\n")));
    const auto& samples = plan.trials(0).sample_arms();
    ASSERT_EQ(samples.size(), 38 * 4);
    for (uint32_t arm = 0; arm < 4; ++arm) {
      EXPECT_EQ(std::count(samples.begin(), samples.begin() + 28, arm), 7) << order;
      EXPECT_EQ(std::count(samples.begin() + 28, samples.end(), arm), 31) << order;
    }
    EXPECT_EQ(plan.sets_per_block(), 4);
    EXPECT_EQ(plan.trials(0).roles(0).role(), "workload");
    EXPECT_EQ(plan.trials(0).roles(0).arm(), "");
  }
}

TEST(Plan, GivesEveryCellAndRoundASeedThatJavaScriptCanHold) {
  const v1::Plan plan = PlanOf(TwoArms("design: { pairing: rounds, rounds: 50 }\n"));
  std::map<int, std::set<uint64_t>> seeds;
  std::set<uint64_t> all;
  for (const v1::Trial& trial : plan.trials()) {
    seeds[trial.round()].insert(trial.seed());
    all.insert(trial.seed());
    EXPECT_LT(trial.seed(), uint64_t{1} << 53);
  }
  for (const auto& [round, values] : seeds) EXPECT_EQ(values.size(), 1u);
  EXPECT_EQ(all.size(), 50u);
}

TEST(PlanOfRounds, RunsOneProcessOfEveryArmNextToEachOther) {
  const v1::Plan plan = PlanOf(ExperimentOf(
      "name: x\nworkload: { command: prog, config: { size: 1 } }\n"
      "arms: { one: { command: [other, -x] }, two: }\n"
      "design: { pairing: rounds, rounds: 12, sets: 3, warmup: 1 }\nsweep: { size: [1, 2] }\n"));
  ASSERT_EQ(plan.trials_size(), 12 * 2 * 3);
  std::map<std::string, int> first_counts;
  for (int start = 0; start < plan.trials_size(); start += 3) {
    std::set<std::string> arms;
    for (int i = start; i < start + 3; ++i) {
      const v1::Trial& trial = plan.trials(i);
      EXPECT_EQ(trial.round(), plan.trials(start).round());
      EXPECT_EQ(trial.cell(), plan.trials(start).cell());
      const v1::Role& role = trial.roles(0);
      arms.insert(role.arm());
      EXPECT_EQ(role.command(0), role.arm() == "two" ? "prog" : "other") << role.arm();
      ASSERT_EQ(trial.sample_arms_size(), 4);
      EXPECT_EQ(plan.arms(static_cast<int>(trial.sample_arms(3))).name(), role.arm());
    }
    EXPECT_EQ(arms, (std::set<std::string>{"one", "two", "control"}));
    ++first_counts[plan.trials(start).roles(0).arm()];
  }
  for (const auto& [arm, count] : first_counts) EXPECT_EQ(count, 8) << arm;
}

TEST(PlanOfRounds, InBlockedOrderRunsOneArmAfterTheOther) {
  const v1::Plan plan = PlanOf(TwoArms("design: { pairing: rounds, rounds: 2, order: blocked }\n"));
  std::string order;
  for (const v1::Trial& trial : plan.trials()) {
    absl::StrAppend(&order, trial.roles(0).arm(), trial.round(), " ");
  }
  EXPECT_EQ(order, "one0 one1 two0 two1 control0 control1 ");
}

TEST(PlanOfRounds, InFixedOrderRunsTheArmsAsTheFileSays) {
  const v1::Plan plan = PlanOf(TwoArms("design: { pairing: rounds, rounds: 2, order: fixed }\n"));
  std::string order;
  for (const v1::Trial& trial : plan.trials()) {
    absl::StrAppend(&order, trial.roles(0).arm(), trial.round(), " ");
  }
  EXPECT_EQ(order, "one0 two0 control0 one1 two1 control1 ");
}

TEST(TrialSpec, HasAllThatAnAgentNeeds) {
  const v1::Experiment experiment = ExperimentOf(
      "name: x\nservices: { db: { postgres: }, unused: { postgres: } }\n"
      "workload: { command: c, uses: db, timeout: 5s }\narms: { a: , b: }\n"
      "design: { sets: 20, warmup: 2, washout: 1, iterations: 3, pin: [1], processes: 1 }\n"
      "gates: strict\n");
  const v1::TrialSpec spec = MakeTrialSpec(experiment, PlanOf(experiment), 0);
  ASSERT_EQ(spec.services_size(), 1);
  EXPECT_EQ(spec.services(0).name(), "db");
  EXPECT_EQ(spec.timeout_ns(), 5'000'000'000);
  EXPECT_EQ(spec.arms_per_set(), 4);
  EXPECT_EQ(spec.sets_per_block(), 2);
  EXPECT_EQ(spec.washout(), 1);
  EXPECT_EQ(spec.iterations(), 3);
  EXPECT_EQ(spec.pin(0), "1");
  EXPECT_EQ(spec.gates(), v1::GATES_STRICT);
  EXPECT_FALSE(spec.is_first());
}

TEST(Plan, RefusesWhatIsTooLarge) {
  EXPECT_EQ(FormatError(MakePlan(TwoArms("design: { pairing: rounds, rounds: 10000 }\n"
                                         "sweep: { size: [1, 2, 3, 4] }\n"),
                                 1)
                            .status()),
            "plan needs 120000 trials but the limit is 100000\n"
            "  detail: 4 cells, 10000 rounds, 3 processes a cell\n"
            "  try: drop a factor or some of its levels");
  const v1::Experiment many_arms = ExperimentOf(
      "name: x\nworkload: { command: c }\n"
      "arms: { a: , b: , c: , d: , e: , f: , g: , h: , i: , j: , k: , l: , m: , n: , o: , p: }\n"
      "compare: [{ baseline: a, candidate: b }, { baseline: c, candidate: d },"
      " { baseline: e, candidate: f }, { baseline: g, candidate: h },"
      " { baseline: i, candidate: j }, { baseline: k, candidate: l }]\n"
      "design: { sets: 1000000, warmup: 1000000, processes: 1 }\n");
  EXPECT_EQ(FormatError(MakePlan(many_arms, 1).status()),
            "a trial needs 56000000 samples but the limit is 50000000\n"
            "  detail: 2000000 sets of 28 arms, those that the checks add included\n"
            "  try: lower 'sets'; more 'processes' tell more than more sets");
  EXPECT_EQ(
      FormatError(
          MakePlan(TwoArms("design: { sets: 1000000, warmup: 0, processes: 100 }\n"), 1).status()),
      "plan needs 400000000 samples but the limit is 100000000\n"
      "  detail: 100 trials of 4000000 samples\n"
      "  try: lower 'sets', or drop levels of a factor");
}

// The bytes for one experiment and seed, for ever. A change here is a new kPlanFormat: stored plans
// are followed as they are, but the same seed would give another order.
TEST(SerializedPlan, IsTheSameOnEveryMachine) {
  const v1::Experiment experiment =
      TwoArms("sweep: { size: [1, 2] }\ndesign: { processes: 2, sets: 5, warmup: 1 }\n");
  const v1::Plan plan = PlanOf(experiment, 17);
  EXPECT_EQ(SerializePlan(plan), SerializePlan(PlanOf(experiment, 17)));
  EXPECT_NE(SerializePlan(plan), SerializePlan(PlanOf(experiment, 18)));
  EXPECT_THAT(
      plan.trials(0).sample_arms(),
      testing::ElementsAre(0, 2, 1, 3, 2, 1, 3, 0, 0, 3, 1, 2, 3, 2, 0, 1, 1, 0, 2, 3, 0, 1, 2, 3));
  EXPECT_EQ(plan.trials(0).seed(), 7732508522048965u);
  EXPECT_EQ(Fnv(SerializePlan(plan)), 3056940480097667672u);
  const v1::Experiment balanced = TwoArms("design: { order: balanced }\n");
  EXPECT_EQ(Fnv(SerializePlan(PlanOf(balanced, 17))), 8736959990402030726u);
  const v1::Experiment rounds = TwoArms("design: { pairing: rounds }\n");
  EXPECT_EQ(Fnv(SerializePlan(PlanOf(rounds, 17))), 805820160854746192u);
}

}  // namespace
}  // namespace tare::coordinator
