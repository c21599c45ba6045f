// Goal: whatever a measured program does wrong is said, refused with code 3, and leaves nothing.

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

struct Failure {
  const char* mode;
  const char* refusal;  // code in the report
  const char* said;     // part of the output
};

void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.mode; }

class FailingWorkload : public E2eTest, public testing::WithParamInterface<Failure> {};

TEST_P(FailingWorkload, IsRefusedWithItsReason) {
  SmallExperiment experiment;
  experiment.workload = "scripted_workload";
  experiment.candidate = std::string("{ work_us: 50, mode: ") + GetParam().mode + " }";
  experiment.rest = "gates: off";
  const Outcome run = Tare({"run", Write("x.yaml", experiment.Yaml()), "--json", Path("r.json")});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr(GetParam().said));
  const nlohmann::json report = ReadJson("r.json");
  EXPECT_EQ(report["verdict"], "refused");
  std::vector<std::string> codes;
  for (const nlohmann::json& refusal : report["refusals"]) codes.push_back(refusal["code"]);
  for (const nlohmann::json& comparison : report["comparisons"]) {
    for (const nlohmann::json& refusal : comparison["refusals"]) codes.push_back(refusal["code"]);
  }
  EXPECT_THAT(codes, testing::Contains(GetParam().refusal));
}

INSTANTIATE_TEST_SUITE_P(
    EveryMode, FailingWorkload,
    testing::Values(Failure{"ignores-config", "config-not-applied", "did not take setting"},
                    Failure{"other-checksum", "different-work", "different-work"},
                    Failure{"no-work", "no-work", "no-work"},
                    Failure{"coarse-clock", "clock-too-coarse", "clock-too-coarse"},
                    Failure{"garbage", "incomplete", "not"},
                    Failure{"closes-early", "incomplete", "scripted_workload"},
                    Failure{"dies", "incomplete", "exited with code 3"},
                    Failure{"crashes", "incomplete", "was ended by signal"},
                    Failure{"hangs", "incomplete", "5s"},
                    Failure{"wrong-arms", "incomplete", "arm"}),
    [](const testing::TestParamInfo<Failure>& mode) {
      std::string name = mode.param.mode;
      for (char& c : name) {
        if (c == '-') c = '_';
      }
      return name;
    });

class HarmlessWorkload : public E2eTest {};

TEST_F(HarmlessWorkload, AGrandchildLeftBehindIsEndedAndSaid) {
  SmallExperiment experiment;
  experiment.workload = "scripted_workload";
  experiment.workload_config = "{ mode: leaves-grandchild }";
  experiment.rest = "gates: off";
  const Outcome run = Tare({"run", Write("x.yaml", experiment.Yaml())});
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("leftovers"));
  EXPECT_EQ(Leftovers(), "");
}

TEST_F(HarmlessWorkload, MegabytesOnStdoutDoNotBlockIt) {
  SmallExperiment experiment;
  experiment.workload = "scripted_workload";
  experiment.workload_config = "{ mode: chatty }";
  experiment.rest = "gates: off";
  EXPECT_EQ(Tare({"run", Write("x.yaml", experiment.Yaml())}).code, 0);
}

}  // namespace
}  // namespace tare
