// Goal: Ctrl-C keeps what is measured, and --resume goes on with it or says why not.

#include <signal.h>

#include <filesystem>

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

class Interrupt : public E2eTest {
 protected:
  // About 3 s of measuring in six trials.
  std::string Yaml(const std::string& workload) {
    SmallExperiment experiment;
    experiment.workload = workload;
    experiment.baseline = experiment.candidate = "{ work_us: 200 }";
    experiment.design = "{ processes: 6, sets: 500, warmup: 10 }";
    experiment.rest = "gates: off";
    return Write("x.yaml", experiment.Yaml());
  }

  void StopAfterTwoTrials(const std::string& yaml) {
    Running run = Start("tare", {"run", yaml});
    Await("two counted trials", [this] { return CountedTrials() >= 2; });
    kill(run.pid(), SIGINT);
    const Outcome outcome = run.Wait(absl::Seconds(30));
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("tare run --resume"));
    EXPECT_EQ(Leftovers(), "");
  }
};

TEST_F(Interrupt, KeepsWhatIsMeasuredAndResumes) {
  StopAfterTwoTrials(Yaml("tare-spin"));
  const int kept = CountedTrials();
  EXPECT_GE(kept, 2);
  EXPECT_LT(kept, 6);
  const Outcome resumed = Tare({"run", "--resume", "last", "--json", Path("r.json")});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  const nlohmann::json report = ReadJson("r.json");
  EXPECT_EQ(report["trials_counted"], 6);
  EXPECT_EQ(report["comparisons"][0]["processes"], 6);
  EXPECT_EQ(Tare({"run", "--resume", "last"}).code, 64) << "nothing is left to do";
}

TEST_F(Interrupt, DoesNotResumeWithAnotherProgram) {
  const std::string program = Path("my-spin");
  std::filesystem::copy_file(std::string(getenv("TARE_BIN")) + "/tare-spin", program);
  StopAfterTwoTrials(Yaml(program));
  std::filesystem::remove(program);
  std::filesystem::copy_file(std::string(getenv("TARE_BIN")) + "/scripted_workload", program);
  const Outcome resumed = Tare({"run", "--resume", "last"});
  EXPECT_EQ(resumed.code, 3) << resumed.out << resumed.err;
  EXPECT_THAT(resumed.out + resumed.err, HasSubstr("changed since the run began"));
}

}  // namespace
}  // namespace tare
