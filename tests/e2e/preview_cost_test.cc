// Goal: the main job on a real PostgreSQL, small: what does a rolled-back preview cost?

#include <sstream>

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

constexpr char kPreview[] = R"(name: preview-cost
question: What does a live preview cost when it is a transaction that is rolled back?
services:
  db: { postgres: { lifetime: run } }
workload: { command: tare-preview, uses: db, config: { months: 24, plans: 10 } }
arms:
  copy:     { config: { strategy: copy } }
  rollback: { config: { strategy: rollback } }
design: { processes: 8, sets: 60, warmup: 20, washout: 1 }
sweep: { plans: [5, 40] }
)";

class PreviewCost : public E2eTest {};

TEST_F(PreviewCost, SaysThatRollbackIsSlowerAndShowsItsOwnError) {
  const Outcome run = TareJudged(
      {"run", Write("preview.yaml", kPreview), "--json", Path("report.json"), "--seed", "7"});
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, testing::StartsWith("SLOWER"));
  const nlohmann::json report = ReadJson("report.json");
  EXPECT_EQ(report["verdict"], "slower");
  EXPECT_EQ(report["purpose"], "estimate");
  ASSERT_EQ(report["comparisons"].size(), 2u);
  for (const nlohmann::json& comparison : report["comparisons"]) {
    EXPECT_EQ(comparison["baseline"], "copy");
    EXPECT_EQ(comparison["candidate"], "rollback");
    EXPECT_EQ(comparison["processes"], 8);
    EXPECT_EQ(comparison["sets"], 8 * 60);
    EXPECT_GT(comparison["positive_share"], 0.9);
    EXPECT_LT(comparison["estimate"]["low_ns"], comparison["estimate"]["value_ns"]);
    EXPECT_GT(comparison["estimate"]["low_ns"], 0);
    EXPECT_EQ(comparison["process_estimates_ns"].size(), 8u);
    EXPECT_TRUE(comparison["smallest_visible"]["value_ns"].is_number());
    EXPECT_TRUE(comparison["control"]["estimate"]["value_ns"].is_number());
    EXPECT_NEAR(comparison["known_delay"]["applied_ns"], comparison["known_delay"]["asked_ns"],
                1000);
  }
}

// Steps are means, so the whole is the mean as well: of all timed samples of the arm.
TEST_F(PreviewCost, StepsAddUpToTheWhole) {
  ASSERT_EQ(
      TareJudged({"run", Write("preview.yaml", kPreview), "--json", Path("report.json")}).code, 0);
  const Outcome samples = Tare({"export", "last", "--what", "samples", "--format", "jsonl"});
  ASSERT_EQ(samples.code, 0) << samples.err;
  double whole = 0;
  double steps = 0;
  std::stringstream lines(samples.out);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json sample = nlohmann::json::parse(line);
    if (sample["arm"] != "rollback" || sample["is_warmup"] == true) continue;
    whole += sample["value_ns"].get<double>();
    for (const auto& [name, ns] : sample.items()) {
      if (name.rfind("step_", 0) == 0 && ns.is_number()) steps += ns.get<double>();
    }
  }
  ASSERT_GT(whole, 0);
  EXPECT_NEAR(steps / whole, 1, 0.05);
}

TEST_F(PreviewCost, RecordsWhichServerAndHowFarItIs) {
  const Outcome run =
      TareJudged({"run", Write("preview.yaml", kPreview), "--json", Path("report.json")});
  ASSERT_EQ(run.code, 0) << run.err;
  const nlohmann::json service = ReadJson("report.json")["services"][0];
  EXPECT_EQ(service["kind"], "postgres");
  EXPECT_GE(std::stoi(service["version"].get<std::string>()), 13);
  EXPECT_GT(service["empty_round_trip_ns"], 1000);
  EXPECT_TRUE(service["is_private"]);
  EXPECT_THAT(run.out, testing::HasSubstr("empty query"));
}

}  // namespace
}  // namespace tare
