// What ReadExperiment makes of valid files, and the defaults.

#include "coordinator/experiment/experiment.h"

#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "tests/experiment/experiment_text.h"

namespace tare::coordinator {
namespace {

v1::Experiment Read(const std::string& yaml) {
  auto experiment = ReadExperiment(yaml, "x.yaml");
  EXPECT_TRUE(experiment.ok()) << FormatError(experiment.status());
  return experiment.ok() ? *experiment : v1::Experiment();
}

TEST(Experiment, ReadsEveryKindOfValue) {
  const v1::Experiment experiment = Read(R"(
name: preview-cost
question: "What does it cost: a rollback?"
purpose: gate
services:
  db: { postgres: { lifetime: trial, version: 15, settings: { work_mem: 4MB } } }
workload: { command: [tare-preview, --x, 1], uses: db, timeout: 1.5s, config: { months: 60 } }
arms:
  copy: { config: { strategy: copy } }
  rollback:
design: { pairing: in-process, processes: 5, order: balanced, pin: [2, 3] }
checks: { control: on, known_delay: auto }
sweep: { months: [12, 60] }
compare: [{ baseline: copy, candidate: rollback }]
seed: 18446744073709551615
study: [fixed, blocked]
)");
  EXPECT_EQ(experiment.question(), "What does it cost: a rollback?");
  EXPECT_EQ(experiment.purpose(), v1::PURPOSE_GATE);
  const v1::Postgres& postgres = experiment.services(0).postgres();
  EXPECT_EQ(postgres.lifetime(), v1::LIFETIME_TRIAL);
  EXPECT_EQ(postgres.settings(0).text(), "4MB");
  EXPECT_EQ(experiment.workload().command(2), "1");
  EXPECT_EQ(experiment.workload().uses(0), "db");
  EXPECT_EQ(experiment.workload().timeout_ns(), 1'500'000'000);
  EXPECT_EQ(experiment.arms(1).name(), "rollback");
  EXPECT_EQ(experiment.design().pairing(), v1::PAIRING_IN_PROCESS);
  EXPECT_EQ(experiment.design().order(), v1::ORDER_BALANCED);
  EXPECT_EQ(experiment.design().pin(1), "3");
  EXPECT_EQ(experiment.checks().control(), v1::SWITCH_ON);
  EXPECT_EQ(experiment.checks().known_delay_ns(), -1);
  EXPECT_EQ(experiment.sweep(0).levels(1).name(), "months");
  EXPECT_EQ(experiment.sweep(0).levels(1).integer(), 60);
  EXPECT_EQ(experiment.seed(), 18446744073709551615u);
  EXPECT_EQ(experiment.study(1), v1::ORDER_BLOCKED);
}

TEST(Experiment, TypesSettingsByTheirText) {
  const v1::Experiment experiment = Read(Minimal(
      "services: { db: { postgres: { settings: { a: 40, b: -7, c: 2.5, d: 1e3, e: true, f: no,"
      " g: \"40\", h: off, i: 1_000, j: [1, x, 'true'], k: '', l: 1:30, m: .5, n: False } } } "
      "}\n"));
  const auto& settings = experiment.services(0).postgres().settings();
  EXPECT_EQ(settings[0].integer(), 40);
  EXPECT_EQ(settings[1].integer(), -7);
  EXPECT_EQ(settings[2].real(), 2.5);
  EXPECT_EQ(settings[3].real(), 1000);
  EXPECT_TRUE(settings[4].has_flag() && settings[4].flag());
  EXPECT_EQ(settings[5].text(), "no");
  EXPECT_EQ(settings[6].text(), "40");
  EXPECT_EQ(settings[7].text(), "off");
  EXPECT_EQ(settings[8].text(), "1_000");
  EXPECT_EQ(settings[9].list().values(2), "true");
  EXPECT_TRUE(settings[10].has_text());
  EXPECT_EQ(settings[11].text(), "1:30");
  EXPECT_EQ(settings[12].real(), 0.5);
  EXPECT_EQ(settings[13].text(), "False");
}

TEST(Experiment, KeepsNamedThingsInTheOrderOfTheFile) {
  const v1::Experiment experiment =
      Read("name: x\nworkload: { command: c }\narms: { z: , m: , a: , k: }\n");
  std::string order;
  for (const v1::Arm& arm : experiment.arms()) order += arm.name();
  EXPECT_EQ(order, "zmak");
}

TEST(Experiment, ReadsFilesWithByteOrderMarkAndCarriageReturns) {
  EXPECT_EQ(Read("\xEF\xBB\xBFname: x\r\nworkload: { command: c }\r\narms: { a: , b: }\r\n").name(),
            "x");
  EXPECT_EQ(ErrorOf("\xEF\xBB\xBFname: x\r\nworkload: { command: c }\r\narms: { a: , b: c }\r\n"),
            "x.yaml:3:17: arms.b: needs a mapping, found 'c'\n"
            "  detail: accepted: a mapping with the keys config, command, uses, same_as");
}

TEST(Experiment, TakesEmptySectionsForSectionsWithoutKeys) {
  const v1::Experiment experiment = Read(Minimal("design:\nchecks:\nsweep:\ncompare:\n"));
  EXPECT_EQ(experiment.sweep_size(), 0);
  EXPECT_FALSE(experiment.design().has_sets());
}

TEST(Defaults, AreThoseThatTheProtoStates) {
  v1::Experiment experiment =
      Read(Minimal("services: { db: { postgres: }, other: { postgres: } }\n"));
  ApplyDefaults(&experiment);
  EXPECT_EQ(experiment.purpose(), v1::PURPOSE_ESTIMATE);
  EXPECT_EQ(experiment.gates(), v1::GATES_NORMAL);
  EXPECT_EQ(experiment.services(0).postgres().lifetime(), v1::LIFETIME_RUN);
  EXPECT_EQ(experiment.workload().uses_size(), 2);
  EXPECT_EQ(experiment.workload().timeout_ns(), 60'000'000'000);
  EXPECT_EQ(experiment.design().ShortDebugString(),
            "pairing: PAIRING_IN_PROCESS processes: 10 sets: 300 warmup: 80 washout: 0 "
            "order: ORDER_RANDOM pin: \"none\" iterations: 1 scope: SCOPE_THESE_HOSTS");
  EXPECT_EQ(experiment.checks().ShortDebugString(), "control: SWITCH_ON known_delay_ns: -1");
  EXPECT_EQ(experiment.compare(0).ShortDebugString(), "baseline: \"one\" candidate: \"two\"");
  EXPECT_FALSE(experiment.has_seed());
}

TEST(Defaults, LeaveTheScopeThatIsAskedFor) {
  v1::Experiment experiment = Read(Minimal("design: { scope: hosts }\n"));
  ApplyDefaults(&experiment);
  EXPECT_EQ(experiment.design().scope(), v1::SCOPE_HOSTS);
}

TEST(Defaults, OfRoundsAreOneSampleAProcess) {
  v1::Experiment experiment = Read(Minimal("design: { pairing: rounds }\n"));
  ApplyDefaults(&experiment);
  EXPECT_EQ(experiment.design().ShortDebugString(),
            "pairing: PAIRING_ROUNDS rounds: 10 sets: 1 warmup: 0 washout: 0 "
            "order: ORDER_RANDOM pin: \"none\" iterations: 1 scope: SCOPE_THESE_HOSTS");
  EXPECT_EQ(experiment.checks().known_delay_ns(), 0);
}

TEST(Defaults, KeepWhatIsWrittenAndAddNothingTheSecondTime) {
  v1::Experiment experiment =
      Read(Minimal("services: { db: { postgres: { dsn: 'host=x' } } }\ndesign: { sets: 7 }\n"));
  ApplyDefaults(&experiment);
  EXPECT_EQ(experiment.design().sets(), 7);
  EXPECT_FALSE(experiment.services(0).postgres().has_lifetime());
  const v1::Experiment once = experiment;
  ApplyDefaults(&experiment);
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(once, experiment));
}

}  // namespace
}  // namespace tare::coordinator
