// Goal: what can be done with a stored run, and with a store that is in the way.

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

class StoreCommands : public E2eTest {
 protected:
  std::string SpinYaml() {
    SmallExperiment experiment;
    experiment.candidate = "{ work_us: 80 }";
    experiment.rest = "gates: off";
    return Write("x.yaml", experiment.Yaml());
  }
};

TEST_F(StoreCommands, ShowMakesTheSameReportAgain) {
  const Outcome run = Tare({"run", SpinYaml(), "--json", Path("first.json")});
  ASSERT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_EQ(Tare({"show", "last", "--json", Path("again.json")}).code, 0);
  EXPECT_EQ(ReadJson("first.json"), ReadJson("again.json"));
}

TEST_F(StoreCommands, ListIsNewestFirst) {
  ASSERT_EQ(Tare({"run", SpinYaml()}).code, 0);
  ASSERT_EQ(Tare({"run", SpinYaml()}).code, 0);
  const Outcome list = Tare({"list", "--json"});
  ASSERT_EQ(list.code, 0) << list.err;
  const nlohmann::json runs = nlohmann::json::parse(list.out)["runs"];
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_GT(runs[0]["created_unix_ns"], runs[1]["created_unix_ns"]);
  EXPECT_THAT(Tare({"list"}).out, HasSubstr(runs[0]["run"].get<std::string>()));
}

TEST_F(StoreCommands, ExportsSamplesChecksAndEvidence) {
  ASSERT_EQ(Tare({"run", SpinYaml()}).code, 0);
  for (const char* what : {"samples", "checks", "evidence"}) {
    for (const char* format : {"csv", "jsonl"}) {
      const Outcome exported = Tare({"export", "last", "--what", what, "--format", format});
      EXPECT_EQ(exported.code, 0) << what << exported.err;
      EXPECT_GT(std::count(exported.out.begin(), exported.out.end(), '\n'), 3) << what;
    }
  }
}

TEST_F(StoreCommands, TheSameSeedGivesTheSamePlan) {
  const std::string yaml = SpinYaml();
  const Outcome first = Tare({"plan", yaml, "--seed", "5"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, Tare({"plan", yaml, "--seed", "5"}).out);
  EXPECT_NE(first.out, Tare({"plan", yaml, "--seed", "6"}).out);
}

TEST_F(StoreCommands, APlanForASizeGoesByTheLastRun) {
  SmallExperiment experiment;
  experiment.candidate = "{ work_us: 80 }";
  experiment.design = "{ processes: 8, sets: 80, warmup: 10 }";
  experiment.rest = "gates: off";
  const std::string yaml = Write("x.yaml", experiment.Yaml());
  Outcome plan = Tare({"plan", yaml, "--for", "1%"});
  EXPECT_EQ(plan.code, 64);
  EXPECT_THAT(plan.err, HasSubstr("has no complete run to plan from"));
  EXPECT_THAT(plan.err, HasSubstr("try: run it first"));

  ASSERT_EQ(Tare({"run", yaml}).code, 0);
  plan = Tare({"plan", yaml, "--for", "10%"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("a 95 % interval of ±10 % or narrower"));
  EXPECT_THAT(plan.out, HasSubstr("8 processes of 80 sets: ±"));
  EXPECT_THAT(plan.out, HasSubstr("cheapest"));
  plan = Tare({"plan", yaml, "--to-see", "1ns", "--pilot", "last"});
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("out of reach"));

  EXPECT_EQ(Tare({"plan", yaml, "--for", "1%", "--to-see", "1%"}).code, 64);
  EXPECT_EQ(Tare({"plan", yaml, "--pilot", "last"}).code, 64);
  EXPECT_EQ(Tare({"plan", yaml, "--for", "0us"}).code, 64);
  EXPECT_EQ(Tare({"plan", yaml, "--for", "fast"}).code, 64);
  EXPECT_EQ(Tare({"plan", yaml, "--for", "1%", "--pilot", "nosuch"}).code, 64);
}

TEST_F(StoreCommands, AStarterExperimentRunsAsItIs) {
  ASSERT_EQ(Tare({"init", Path("my.yaml")}).code, 0);
  EXPECT_EQ(Tare({"init", Path("my.yaml")}).code, 64) << "it does not overwrite";
  const Outcome run = TareJudged({"run", Path("my.yaml")});
  EXPECT_TRUE(run.code == 0 || run.code == 2) << run.code << run.out << run.err;
}

TEST_F(StoreCommands, AFullDiskIsCode69AndKeepsWhatIsThere) {
  ASSERT_EQ(geteuid(), 0u) << "needs root to mount a small file system";
  const std::string mount_point = Path("small");
  ASSERT_EQ(mkdir(mount_point.c_str(), 0755), 0);
  ASSERT_EQ(mount("tmpfs", mount_point.c_str(), "tmpfs", 0, "size=400k"), 0);
  store_ = mount_point + "/results.db";
  SmallExperiment experiment;
  experiment.design = "{ processes: 40, sets: 2000, warmup: 10 }";
  experiment.baseline = experiment.candidate = "{ work_us: 5 }";
  experiment.rest = "gates: off";
  const Outcome run = Tare({"run", Write("x.yaml", experiment.Yaml())});
  EXPECT_EQ(run.code, 69) << run.out << run.err;
  EXPECT_THAT(run.err, HasSubstr("full"));
  EXPECT_EQ(Tare({"list"}).code, 0);
  EXPECT_EQ(umount(mount_point.c_str()), 0);
}

}  // namespace
}  // namespace tare
