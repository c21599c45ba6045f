// Goal: what makes a run unfit to judge is refused, with its measured value.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

class Refusal : public E2eTest {
 protected:
  std::vector<std::string> Codes(const nlohmann::json& report) {
    std::vector<std::string> codes;
    for (const nlohmann::json& refusal : report["refusals"]) codes.push_back(refusal["code"]);
    for (const nlohmann::json& comparison : report["comparisons"]) {
      for (const nlohmann::json& refusal : comparison["refusals"]) codes.push_back(refusal["code"]);
    }
    return codes;
  }
};

TEST_F(Refusal, AFixedOrderIsConfoundedAndItsBiasIsShown) {
  SmallExperiment experiment;
  experiment.design = "{ processes: 5, sets: 40, warmup: 10, order: fixed }";
  experiment.rest = "gates: off";
  const Outcome run = Tare({"run", Write("x.yaml", experiment.Yaml()), "--json", Path("r.json")});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  const nlohmann::json report = ReadJson("r.json");
  EXPECT_THAT(Codes(report), testing::Contains("order-confounded"));
  EXPECT_TRUE(report["comparisons"][0]["estimate"]["value_ns"].is_number());
}

TEST_F(Refusal, TwoProcessesAreTooFew) {
  SmallExperiment experiment;
  experiment.design = "{ processes: 2, sets: 40, warmup: 10 }";
  experiment.rest = "gates: off";
  const Outcome run = Tare({"run", Write("x.yaml", experiment.Yaml()), "--json", Path("r.json")});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(Codes(ReadJson("r.json")), testing::Contains("too-few-processes"));
}

TEST_F(Refusal, AStrictGateRefusesABusyMachineAndNamesTheCulprit) {
  const pid_t spinner = fork();
  if (spinner == 0) {
    execl("/bin/sh", "tare-busy-neighbour", "-c", "while :; do :; done", nullptr);
    _exit(127);
  }
  SmallExperiment experiment;
  experiment.rest = "gates: strict";
  // 30 s of patience for a quiet machine are part of it.
  const Outcome run = Tare({"run", Write("x.yaml", experiment.Yaml()), "--json", Path("r.json")});
  kill(spinner, SIGKILL);
  waitpid(spinner, nullptr, 0);
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  EXPECT_THAT(Codes(ReadJson("r.json")), testing::Contains("not-idle"));
  EXPECT_THAT(run.out + run.err, HasSubstr(std::to_string(spinner)));
}

}  // namespace
}  // namespace tare
