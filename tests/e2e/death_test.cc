// Goal: kill -9 of any process, at a moment of full activity: said, nothing left running, nothing
// measured lost.

#include <signal.h>

#include <algorithm>

#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using testing::HasSubstr;

constexpr char kLongPreview[] = R"(name: long
services:
  db: { postgres: {} }
workload: { command: tare-preview, uses: db, timeout: 10s, config: { months: 24, plans: 10 } }
arms:
  copy:     { config: { strategy: copy } }
  rollback: { config: { strategy: rollback } }
design: { processes: 60, sets: 300, warmup: 20 }
gates: off
)";

class Death : public E2eTest {
 protected:
  // A run with at least one counted trial, in the middle of another.
  Running StartBusyRun() {
    Running run = Start("tare", {"run", Write("long.yaml", kLongPreview)});
    Await("a counted trial", [this] { return CountedTrials() >= 1; });
    return run;
  }
  // Kills the first process of this name that is not a warden; false when there is none.
  bool KillOne(const std::string& name) {
    const std::vector<pid_t> wardens = Processes("tare-warden");
    for (const pid_t pid : Processes(name)) {
      if (std::find(wardens.begin(), wardens.end(), pid) != wardens.end()) continue;
      kill(pid, SIGKILL);
      return true;
    }
    return false;
  }
};

TEST_F(Death, OfTareLeavesNothingAndLosesNothing) {
  Running run = StartBusyRun();
  kill(run.pid(), SIGKILL);
  EXPECT_EQ(run.Wait().code, 128 + SIGKILL);
  EXPECT_EQ(Leftovers(), "");
  EXPECT_GE(CountedTrials(), 1);
}

TEST_F(Death, OfTheAgentIsCode69AndLeavesNothing) {
  Running run = StartBusyRun();
  kill(AwaitProcess("tare-agent"), SIGKILL);
  const Outcome outcome = run.Wait();
  EXPECT_EQ(outcome.code, 69) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("agent"));
  EXPECT_THAT(outcome.err, HasSubstr("--resume"));
  EXPECT_EQ(Leftovers(), "");
  EXPECT_GE(CountedTrials(), 1);
  // Its directory goes at the start of the next agent.
  EXPECT_EQ(Tare({"check"}).code, 0);
}

TEST_F(Death, OfTheWorkloadIsRefused) {
  Running run = StartBusyRun();
  Await("a workload to kill", [this] { return KillOne("/tare-preview"); });
  const Outcome outcome = run.Wait();
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, HasSubstr("signal 9"));
  EXPECT_EQ(Leftovers(), "");
}

TEST_F(Death, OfEveryWardenLeavesNothing) {
  Running run = StartBusyRun();
  // One of them holds the server, one the workload.
  Await("two wardens to kill", [this] {
    const std::vector<pid_t> wardens = Processes("tare-warden");
    if (wardens.size() < 2) return false;
    for (const pid_t pid : wardens) kill(pid, SIGKILL);
    return true;
  });
  const Outcome outcome = run.Wait();
  EXPECT_TRUE(outcome.code == 3 || outcome.code == 69) << outcome.code << outcome.err;
  EXPECT_EQ(Leftovers(), "");
}

TEST_F(Death, OfPostgresIsSaid) {
  Running run = StartBusyRun();
  Await("a server to kill", [this] { return KillOne("/postgres "); });
  const Outcome outcome = run.Wait();
  EXPECT_TRUE(outcome.code == 3 || outcome.code == 69) << outcome.code << outcome.err;
  EXPECT_EQ(Leftovers(), "");
  EXPECT_GE(CountedTrials(), 1);
}

}  // namespace
}  // namespace tare
