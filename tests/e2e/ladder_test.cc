// Goal: a ladder of real waits, on a busy wait and on a preview on a real PostgreSQL.

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using ::testing::HasSubstr;

class Ladder : public E2eTest {};

TEST_F(Ladder, StatesWhatItFoundOfEveryDelay) {
  const Outcome run = TareJudged(
      {"run",
       Write("x.yaml",
             "name: x\nworkload: { command: tare-spin, config: { work_us: 50 } }\n"
             "arms: { spin: }\ngates: off\n"
             "ladder: { delays: [0us, 20us, 200us], at: middle, passes: 2 }\n"
             "design: { processes: 3, sets: 60, warmup: 10 }\nstudy: [fixed, blocked]\n"),
       "--json", Path("r.json")});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("STATED"));
  EXPECT_THAT(run.out, HasSubstr("against itself plus a delay in its middle"));
  EXPECT_THAT(run.out, HasSubstr("What processes in blocked order would have said"));
  EXPECT_EQ(CountedTrials(), 2 * 3 * 3 * 3);
  const nlohmann::json report = ReadJson("r.json");
  EXPECT_EQ(report["verdict"], "stated");
  const nlohmann::json& ladder = report["ladder"];
  EXPECT_EQ(ladder["passes"], 2);
  EXPECT_EQ(ladder["replicates"], 6);
  ASSERT_EQ(ladder["rungs"].size(), 3u);
  EXPECT_EQ(ladder["rungs"][0]["applied_ns"], 0);
  EXPECT_GE(ladder["rungs"][2]["applied_ns"], 200'000);
  EXPECT_GE(ladder["rungs"][2]["estimate"]["value_ns"], 150'000);
  EXPECT_EQ(ladder["rungs"][2]["processes"], 6);
  EXPECT_TRUE(ladder["slope"].is_number());
  ASSERT_EQ(ladder["studied_orders"].size(), 2u);
  EXPECT_EQ(ladder["studied_orders"][1]["order"], "blocked");
  EXPECT_EQ(ladder["studied_orders"][1]["rungs"][2]["processes"], 6);
}

TEST_F(Ladder, WaitsInTheMiddleOfAPreview) {
  const Outcome run = TareJudged(
      {"run",
       Write("x.yaml",
             "name: x\nservices: { db: { postgres: } }\n"
             "workload: { command: tare-preview, config: { strategy: rollback, plans: 10 } }\n"
             "arms: { preview: }\ngates: off\n"
             "ladder: { delays: [0us, 1ms, 3ms], at: middle }\n"
             "design: { processes: 3, sets: 20, warmup: 5, washout: 1 }\n"),
       "--json", Path("r.json")});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  const nlohmann::json report = ReadJson("r.json");
  EXPECT_GE(report["ladder"]["rungs"][2]["applied_ns"], 3'000'000);
  EXPECT_GE(report["ladder"]["rungs"][2]["estimate"]["value_ns"], 2'500'000);
}

TEST_F(Ladder, IsRefusedByAProgramWithoutAMiddle) {
  const Outcome run =
      Tare({"run", Write("x.yaml",
                         "name: x\nworkload: { command: tare-command, config: { command: "
                         "/bin/true } }\narms: { own: }\ngates: off\n"
                         "ladder: { delays: [0us, 1ms, 2ms], at: middle }\n"
                         "design: { processes: 3, sets: 5, warmup: 0 }\n")});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("delay-not-applied"));
  EXPECT_THAT(run.out, HasSubstr("no middle"));
}

}  // namespace
}  // namespace tare
