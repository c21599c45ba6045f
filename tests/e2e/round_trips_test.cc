// Goal: a preview on a real PostgreSQL through the real proxy: what the store keeps of the
// distance.

#include <signal.h>

#include <algorithm>
#include <set>

#include "coordinator/cli/stored_data.h"
#include "gmock/gmock.h"
#include "tests/e2e/tare_program.h"

namespace tare {
namespace {

using coordinator::LoadRunData;
using coordinator::OpenSqliteStore;
using coordinator::RunData;
using coordinator::TrialData;

constexpr int kTurns = 3;  // of one preview

std::string Experiment(const std::string& design) {
  return R"(name: round-trips
services:
  wire: { proxy: { to: db, record: full } }
  db: { postgres: { } }
workload: { command: tare-preview, config: { strategy: rollback, months: 24, plans: 10 } }
arms:
  direct: { uses: db }
  rollback: { uses: wire }
sweep: { wire.delay: [0, 500us, 1ms] }
explain: 6.16ms
gates: off
design: )" +
         design;
}

class RoundTrips : public E2eTest {
 protected:
  RunData Load() {
    auto store = OpenSqliteStore(store_);
    EXPECT_TRUE(store.ok()) << store.status();
    auto run = (*store)->ResolveRun("last");
    EXPECT_TRUE(run.ok()) << run.status();
    auto data = LoadRunData(**store, *run);
    EXPECT_TRUE(data.ok()) << data.status();
    return *std::move(data);
  }

  // The first process of this name that is not its warden.
  pid_t AwaitProgram(const std::string& name) {
    pid_t found = -1;
    Await(name, [&] {
      const std::vector<pid_t> wardens = Processes("tare-warden");
      for (const pid_t pid : Processes(name)) {
        if (std::find(wardens.begin(), wardens.end(), pid) == wardens.end()) found = pid;
      }
      return found > 0;
    });
    return found;
  }
};

// Each block has exactly the turns of its previews through the proxy: neither those of arm `direct`
// nor those of the control, the known delay and the washout, which repeat that.
void ExpectCountedTurns(const RunData& data, const TrialData& trial) {
  ASSERT_EQ(trial.blocks.size(), 11u);
  for (const v1::SampleBlock& block : trial.blocks) {
    const auto previews = std::count_if(block.arm().begin(), block.arm().end(), [&](uint32_t arm) {
      return data.plan.arms(static_cast<int>(arm)).name() == "rollback";
    });
    ASSERT_GT(previews, 0);
    ASSERT_EQ(block.evidence().proxies_size(), 1);
    const v1::ProxyCounters& counted = block.evidence().proxies(0);
    EXPECT_EQ(counted.service(), "wire");
    EXPECT_EQ(counted.turns(), kTurns * previews);
    EXPECT_EQ(counted.client_writes(), kTurns * previews);
    EXPECT_EQ(counted.postgres_round_trips(), kTurns * previews);
    EXPECT_EQ(counted.connections_accepted(), 0);
    std::set<std::string> placed;
    for (const v1::Placement& placement : block.evidence().placements()) {
      placed.insert(placement.process());
    }
    EXPECT_THAT(placed, testing::ElementsAre("db", "wire", "workload"));
  }
}

// Every reply was held back for the cell's delay at least, and every preview took that much.
void ExpectDelay(const RunData& data, const TrialData& trial, int64_t delay_ns) {
  ASSERT_EQ(trial.record.services_size(), 2);
  EXPECT_EQ(trial.record.services(0).name(), "db");
  const v1::ServiceRecord& wire = trial.record.services(1);
  EXPECT_EQ(wire.kind(), "proxy");
  ASSERT_TRUE(wire.has_proxy());
  const v1::ProxyDirection& to_client = wire.proxy().total().to_client();
  EXPECT_EQ(to_client.asked().minimum_ns(), delay_ns);
  EXPECT_EQ(to_client.asked().maximum_ns(), delay_ns);
  EXPECT_EQ(wire.proxy().total().to_server().asked().maximum_ns(), 0);
  ASSERT_EQ(wire.proxy().connections_size(), 1);
  const v1::ProxyDirection& recorded = wire.proxy().connections(0).traffic().to_client();
  EXPECT_EQ(recorded.recorded_applied_ns_size(), to_client.asked().count());
  for (const int64_t applied_ns : recorded.recorded_applied_ns()) EXPECT_GE(applied_ns, delay_ns);
  for (const v1::SampleBlock& block : trial.blocks) {
    for (int i = 0; i < block.arm_size(); ++i) {
      if (data.plan.arms(static_cast<int>(block.arm(i))).name() != "rollback") continue;
      EXPECT_GE(block.value_ns(i), kTurns * delay_ns);
    }
  }
}

TEST_F(RoundTrips, AreCountedAndDelayedInEveryTrial) {
  const Outcome run = Tare(
      {"run", Write("x.yaml", Experiment("{ processes: 4, sets: 30, warmup: 3, washout: 1 }"))});
  // What the report makes of so few processes is not the question here.
  ASSERT_TRUE(run.code == 0 || run.code == 3) << run.out << run.err;
  const RunData data = Load();
  ASSERT_EQ(data.trials.size(), 12u);
  const int64_t delays_ns[] = {0, 500'000, 1'000'000};
  std::set<std::string> endpoints;
  for (const TrialData& trial : data.trials) {
    ASSERT_TRUE(trial.is_counted) << trial.record.message() << trial.record.detail();
    ExpectCountedTurns(data, trial);
    ExpectDelay(data, trial, delays_ns[data.plan.trials(trial.trial).cell()]);
    endpoints.insert(trial.record.services(1).endpoint());
  }
  EXPECT_GT(endpoints.size(), 1u);  // a fresh proxy for every trial
}

TEST_F(RoundTrips, WithoutTheProxyAreNotMeasured) {
  Running run =
      Start("tare", {"run", Write("x.yaml", Experiment("{ processes: 9, sets: 20000 }"))});
  AwaitProgram("/tare-preview");
  kill(AwaitProgram("/tare-proxy "), SIGKILL);
  const Outcome outcome = run.Wait();
  EXPECT_EQ(outcome.code, 69) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("service 'wire': tare-proxy was ended by signal 9\n"
                                              "  detail: listening on 127.0.0.1:"));
  EXPECT_EQ(Leftovers(), "");
}

TEST_F(RoundTrips, OfAnUnreadableTraceAreNotMeasured) {
  const std::string text = R"(name: trace
services: { db: { postgres: }, wire: { proxy: { to: db, law: trace, trace: /no/trace } } }
workload: { command: tare-preview, uses: wire, config: { strategy: rollback } }
arms: { one: , two: }
gates: off
)";
  const Outcome outcome = Tare({"run", Write("x.yaml", text)});
  EXPECT_EQ(outcome.code, 69) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("service 'wire': tare-proxy exited with code 64"));
  EXPECT_THAT(outcome.err, testing::HasSubstr("/no/trace"));
}

}  // namespace
}  // namespace tare
