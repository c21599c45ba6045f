// Goal: the same two programs over loopback TCP, and two runs on one machine.

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

class Lab : public E2eTest {};

TEST_F(Lab, CoordinatorAndAgentMeasureOverTcp) {
  SmallExperiment experiment;
  experiment.candidate = "{ work_us: 80 }";
  experiment.rest = "gates: off";
  Running coordinator = Start(
      "tare-coordinator",
      {"--listen", "127.0.0.1:0", Write("x.yaml", experiment.Yaml()), "--json", Path("r.json")});
  std::string address;
  Await("the listening address", [&] {
    const std::string text = coordinator.err();
    const size_t at = text.find("listening on ");
    if (at == std::string::npos || text.find('\n', at) == std::string::npos) return false;
    address = text.substr(at + 13, text.find('\n', at) - at - 13);
    return true;
  });
  Running agent = Start("tare-agent", {"--coordinator", address, "--id", "lab-1", "--once",
                                       "--spool", Path("spool")});
  const Outcome outcome = coordinator.Wait();
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(ReadJson("r.json")["trials_counted"], 3);
  EXPECT_EQ(agent.Wait(absl::Seconds(30)).code, 0);
}

TEST_F(Lab, AnAgentWithoutCoordinatorSaysSo) {
  const Outcome outcome =
      Start("tare-agent", {"--coordinator", "127.0.0.1:1", "--once", "--spool", Path("spool")})
          .Wait();
  EXPECT_EQ(outcome.code, 69);
  EXPECT_THAT(outcome.err, HasSubstr("cannot open a session"));
}

TEST_F(Lab, TwoRunsAtOnceDoNotDisturbEachOther) {
  SmallExperiment experiment;
  experiment.design = "{ processes: 50, sets: 500, warmup: 10 }";
  experiment.baseline = experiment.candidate = "{ work_us: 200 }";
  experiment.rest = "gates: off";
  Running first = Start("tare", {"run", Write("x.yaml", experiment.Yaml())});
  AwaitProcess("/tare-spin");
  store_ = Path("second.db");
  const Outcome second = Tare({"run", Path("x.yaml")});
  EXPECT_EQ(second.code, 69) << second.out << second.err;
  EXPECT_THAT(second.err, HasSubstr("is being measured"));
  kill(first.pid(), SIGINT);
  EXPECT_EQ(first.Wait().code, 130);
}

}  // namespace
}  // namespace tare
