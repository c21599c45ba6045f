// What makes an experiment a gate: how it is read, and what ReadExperiment says when it makes no
// sense.

#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/experiment/experiment_text.h"

namespace tare::coordinator {
namespace {

constexpr char kServers[] =
    "name: x\n"
    "services: { a: { server: { command: [s, '{port}'] } }, "
    "b: { server: { command: [s, '{port}'] } } }\n"
    "workload: { command: tare-load }\n"
    "arms: { old: { uses: a }, new: { uses: b } }\n";

v1::Experiment Read(const std::string& yaml) {
  auto experiment = ReadExperiment(yaml, "x.yaml");
  EXPECT_TRUE(experiment.ok()) << FormatError(experiment.status());
  if (!experiment.ok()) return {};
  ApplyDefaults(&*experiment);
  return *experiment;
}

TEST(Gate, IsReadWithAllItsKeys) {
  const v1::Experiment experiment =
      Read(absl::StrCat(kServers, "design: { pairing: rounds }\n",
                        "threshold: { relative: 5%, absolute: 100us, strict: on }\n"
                        "metrics: [p95, throughput, server-cpu]\n"
                        "stop: { max_rounds: 20, looks: 4 }\nconfirm: on\n"));
  EXPECT_EQ(experiment.threshold().ShortDebugString(),
            "relative_ppm: 50000 absolute_ns: 100000 strict: SWITCH_ON");
  EXPECT_EQ(experiment.metrics(2), v1::METRIC_SERVER_CPU);
  EXPECT_EQ(experiment.stop().ShortDebugString(), "max_rounds: 20 looks: 4 open_ended: SWITCH_OFF");
  EXPECT_EQ(experiment.design().rounds(), 20);
  EXPECT_EQ(experiment.confirm(), v1::SWITCH_ON);
}

TEST(Gate, IsThePurposeOfAnExperimentWithAThreshold) {
  EXPECT_EQ(Read(Minimal("threshold: { relative: 5% }\n")).purpose(), v1::PURPOSE_GATE);
  EXPECT_EQ(Read(Minimal("")).purpose(), v1::PURPOSE_ESTIMATE);
  EXPECT_EQ(Read(Minimal("purpose: estimate\nthreshold: { relative: 5% }\n")).purpose(),
            v1::PURPOSE_ESTIMATE);
}

TEST(Gate, MeasuresLatencyUnlessItSaysOtherwise) {
  ASSERT_EQ(Read(Minimal("")).metrics_size(), 1);
  EXPECT_EQ(Read(Minimal("")).metrics(0), v1::METRIC_LATENCY);
}

TEST(Gate, WhenOpenEndedHasRoundsForLater) {
  const v1::Experiment experiment = Read(Minimal(
      "design: { pairing: rounds }\nthreshold: { relative: 5% }\nstop: { open_ended: on }\n"));
  EXPECT_EQ(experiment.stop().max_rounds(), 200);
  EXPECT_EQ(experiment.design().rounds(), 10);
}

TEST(Server, HasTheDefaultsThatTheProtoStates) {
  const v1::Experiment experiment = Read(absl::StrCat(kServers, "design: { pairing: rounds }\n"));
  EXPECT_EQ(experiment.services(0).server().ShortDebugString(),
            "command: \"s\" command: \"{port}\" ready { timeout_ns: 30000000000 } "
            "stop_timeout_ns: 5000000000");
}

TEST(SameAs, IsNotComparedByDefault) {
  const v1::Experiment experiment = Read(
      "name: x\nworkload: { command: c }\n"
      "arms: { a: {}, control: { same_as: a }, b: {} }\n");
  ASSERT_EQ(experiment.compare_size(), 1);
  EXPECT_EQ(experiment.compare(0).candidate(), "b");
}

struct Refused {
  const char* name;
  const char* yaml;
  const char* error;

  friend std::ostream& operator<<(std::ostream& out, const Refused& refused) {
    return out << refused.name;
  }
};

class GateSense : public testing::TestWithParam<Refused> {};

TEST_P(GateSense, IsRefusedWithPlaceAndReason) {
  EXPECT_EQ(ErrorOf(Minimal(GetParam().yaml)), GetParam().error);
}

std::string NameOf(const testing::TestParamInfo<Refused>& info) { return info.param.name; }

constexpr Refused kGates[] = {
    Refused{"NoSize", "threshold: { strict: on }\n",
            "x.yaml:4:1: threshold: says no size\n"
            "  detail: accepted: relative, absolute, or both\n"
            "  try: add 'relative: 5%'"},
    Refused{"NoTime",
            "design: { pairing: rounds }\nthreshold: { absolute: 1ms }\n"
            "metrics: [p95, throughput]\n",
            "x.yaml:6:16: metrics[1]: 'throughput' needs a relative threshold\n"
            "  detail: an absolute threshold is a time, which this metric is not\n"
            "  try: add 'relative: 5%' to 'threshold'"},
    Refused{"MetricTwice", "design: { pairing: rounds }\nmetrics: [p95, p95]\n",
            "x.yaml:5:16: metrics[1]: 'p95' is listed twice"},
    Refused{"QuantileInProcess", "metrics: p95\n",
            "x.yaml:4:10: metrics[0]: 'p95' needs 'pairing: rounds'\n"
            "  detail: only there a process runs one arm, whose total it is\n"
            "  try: set 'pairing: rounds', or write 'latency'"},
    Refused{"NoServer", "design: { pairing: rounds }\nmetrics: server-cpu\n",
            "x.yaml:5:10: metrics[0]: there is no server\n"
            "  detail: it is the processor time of a service of kind 'server'\n"
            "  try: add one, or remove this metric"},
    Refused{"StopInProcess", "stop: { max_rounds: 20 }\n",
            "x.yaml:4:1: stop: needs 'pairing: rounds'\n"
            "  detail: it looks at the rounds measured so far\n"
            "  try: set 'pairing: rounds', or remove it"},
    Refused{"StopWithoutEnd", "design: { pairing: rounds }\nstop: { looks: 3 }\n",
            "x.yaml:5:1: stop: needs 'max_rounds'\n"
            "  detail: planned looks share their error over all rounds that there may be\n"
            "  try: add 'max_rounds: 20', or 'open_ended: on'"},
    Refused{"TwoNumbersOfRounds",
            "design: { pairing: rounds, rounds: 9 }\nstop: { max_rounds: 20 }\n",
            "x.yaml:4:28: design.rounds: does not go with 'stop: max_rounds'\n"
            "  detail: with planned looks that is the number of rounds\n"
            "  try: remove it"},
    Refused{"TooFewRounds", "design: { pairing: rounds }\nstop: { max_rounds: 7 }\n",
            "x.yaml:5:21: stop.max_rounds: '7' is out of bounds\n"
            "  detail: accepted: a whole number from 8 to 10000"},
    Refused{"LooksOfAnOpenEnd",
            "design: { pairing: rounds }\nthreshold: { relative: 5% }\n"
            "stop: { open_ended: on, looks: 3 }\n",
            "x.yaml:6:25: stop.looks: does not go with 'open_ended: on'\n"
            "  detail: an open-ended run looks after every round\n"
            "  try: remove it"},
    Refused{"OpenEndWithoutThreshold", "design: { pairing: rounds }\nstop: { open_ended: on }\n",
            "x.yaml:5:9: stop.open_ended: needs a threshold\n"
            "  detail: without one nothing but a difference would ever end it\n"
            "  try: add 'threshold: { relative: 5% }'"},
    Refused{"ConfirmWithoutThreshold", "confirm: on\n",
            "x.yaml:4:1: confirm: needs a threshold\n"
            "  detail: what is measured again is what regressed beyond it\n"
            "  try: add 'threshold: { relative: 5% }'"},
    Refused{"ServerInProcess", "services: { s: { server: { command: [s, '{port}'] } } }\n",
            "x.yaml:4:18: services.s.server: needs 'pairing: rounds'\n"
            "  detail: a server is started afresh for every trial of its arm\n"
            "  try: set 'pairing: rounds' under 'design'"},
    Refused{"ServerWithoutPort",
            "design: { pairing: rounds }\nservices: { s: { server: { command: s } } }\n",
            "x.yaml:5:28: services.s.server.command: does not say '{port}'\n"
            "  detail: tare chooses a free port and has to tell the server which\n"
            "  try: add an argument such as --port={port}"},
    Refused{"UnknownPlaceholder",
            "design: { pairing: rounds }\n"
            "services: { s: { server: { command: [s, '{port}', '{db}'] } }, db: { postgres: } }\n",
            "x.yaml:5:51: services.s.server.command[2]: '{db}' is no service before this one\n"
            "  detail: accepted: {port}, and names of services that come before"},
    Refused{
        "LoneBrace",
        "design: { pairing: rounds }\nservices: { s: { server: { command: [s, '{port'] } } }\n",
        "x.yaml:5:41: services.s.server.command[1]: '{port' has a '{' without a '}' at position 1\n"
        "  try: write {NAME}; a brace itself is {{ or }}"},
    Refused{"ReadyTwice",
            "design: { pairing: rounds }\nservices: { s: { server: { command: [s, '{port}'], "
            "ready: { http: /h, line: up } } } }\n",
            "x.yaml:5:71: services.s.server.ready.line: does not go with 'http'\n"
            "  detail: a server is ready in one way\n"
            "  try: remove one of them"},
    Refused{"ReadyPath",
            "design: { pairing: rounds }\nservices: { s: { server: { command: [s, '{port}'], "
            "ready: { http: health } } } }\n",
            "x.yaml:5:67: services.s.server.ready.http: is no path\n"
            "  detail: accepted: what comes after host and port, such as /health"},
    Refused{"TwoServersOfAnArm",
            "design: { pairing: rounds }\nservices: { a: { server: { command: [s, '{port}'] } }, "
            "b: { server: { command: [s, '{port}'] } } }\n",
            "x.yaml:3:9: arms.one: uses more than one server\n"
            "  detail: a, b\n"
            "  try: add 'uses: a'\n"
            "x.yaml:3:18: arms.two: uses more than one server\n"
            "  detail: a, b\n"
            "  try: add 'uses: a'"},
    Refused{"LockstepWashout", "design: { pairing: lockstep, washout: 1 }\n",
            "x.yaml:4:30: design.washout: does not go with 'pairing: lockstep'\n"
            "  detail: in lockstep a process runs one arm only\n"
            "  try: remove it"},
    Refused{"LockstepRounds", "design: { pairing: lockstep, rounds: 3 }\n",
            "x.yaml:4:30: design.rounds: does not go with 'pairing: lockstep'\n"
            "  detail: in lockstep, each round is one process an arm of 'processes'\n"
            "  try: write 'processes'"},
    Refused{"LockstepBalanced", "design: { pairing: lockstep, order: balanced }\n",
            "x.yaml:4:37: design.order: 'balanced' needs 'pairing: in-process'\n"
            "  detail: it orders the samples within a process\n"
            "  try: write 'random'"},
};

INSTANTIATE_TEST_SUITE_P(Gates, GateSense, testing::ValuesIn(kGates), NameOf);

TEST(SameAs, IsRefusedWithOtherKeysAndForArmsThatAreNoBaseline) {
  EXPECT_EQ(ErrorOf("name: x\nworkload: { command: c }\n"
                    "arms: { a: , b: { same_as: a, config: { x: 1 } }, c: { same_as: d },\n"
                    "  e: , f: { same_as: e }, g: { same_as: a } }\n"
                    "compare: [{ baseline: a, candidate: b }]\n"),
            "x.yaml:3:31: arms.b.config: does not go with 'same_as'\n"
            "  detail: a control repeats the other arm in everything\n"
            "  try: remove it\n"
            "x.yaml:3:65: arms.c.same_as: there is no arm 'd'\n"
            "  detail: arms: a, b, c, e, f, g\n"
            "x.yaml:4:22: arms.f.same_as: no comparison has the baseline 'e'\n"
            "  detail: a control tests what the candidates are compared with\n"
            "x.yaml:4:41: arms.g.same_as: 'a' has a control already\n"
            "x.yaml:5:37: compare[0].candidate: is a control\n"
            "  detail: it is compared with the arm that it repeats anyway\n"
            "  try: remove this comparison");
}

}  // namespace
}  // namespace tare::coordinator
