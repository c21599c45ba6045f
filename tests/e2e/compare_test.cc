// Goal: the one-liner, with exit codes that scripts can rest on.

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

class CompareCommand : public E2eTest {};

TEST_F(CompareCommand, SaysSlowerWithCode1) {
  const Outcome run = TareJudged({"compare", "sleep 0.005", "sleep 0.03", "--rounds", "8",
                                  "--gates", "off", "--json", Path("r.json")});
  EXPECT_EQ(run.code, 1) << run.out << run.err;
  EXPECT_THAT(run.out, testing::StartsWith("REGRESSION"));
  const nlohmann::json comparison = ReadJson("r.json")["comparisons"][0];
  EXPECT_EQ(comparison["verdict"], "regression");
  EXPECT_EQ(comparison["processes"], 8);
  EXPECT_GT(comparison["ratio"]["low"], 1);
  EXPECT_NEAR(comparison["estimate"]["value_ns"], 25e6, 10e6);
}

TEST_F(CompareCommand, SaysFasterWithCode0) {
  const Outcome run =
      TareJudged({"compare", "sleep 0.03", "sleep 0.005", "--rounds", "8", "--gates", "off"});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, testing::StartsWith("IMPROVEMENT"));
}

TEST_F(CompareCommand, OutputMayDifferAndIsWarned) {
  const Outcome run = Tare({"compare", "echo one", "echo two", "--rounds", "5", "--gates", "off"});
  // Whatever two such short commands come to on this machine, the difference is said.
  EXPECT_GE(run.code, 0);
  EXPECT_LE(run.code, 3) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("stdout"));
}

TEST_F(CompareCommand, ACommandThatFailsIsRefused) {
  const Outcome run = Tare({"compare", "true", "false", "--rounds", "5", "--gates", "off"});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr("'false'"));
}

TEST_F(CompareCommand, ACommandThatIsNotThereIsSaid) {
  const Outcome run = Tare({"compare", "true", "no-such-command-here", "--gates", "off"});
  EXPECT_TRUE(run.code == 3 || run.code == 64) << run.code;
  EXPECT_THAT(run.out + run.err, HasSubstr("no-such-command-here"));
}

}  // namespace
}  // namespace tare
