// The transcript of docs/workload-protocol.md, fed to both ends: the agent must say its lines and
// accept the process's, the SDK the other way round. What a clock decides is compared by shape
// only.

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "agent/workload/channel.h"
#include "base/files.h"
#include "gtest/gtest.h"
#include "tests/workload/pipes.h"
#include "workloads/sdk/cpp/session.h"

namespace tare {
namespace {

using Json = nlohmann::ordered_json;

struct TranscriptLine {
  bool is_agents;
  std::string text;  // with its newline
};

std::vector<TranscriptLine> LoadTranscript() {
  const std::string path = std::string(getenv("TARE_SOURCE")) + "/docs/workload-protocol.md";
  const std::string page = ReadFile(path).value();
  std::vector<TranscriptLine> lines;
  bool is_inside = false;
  for (absl::string_view line : absl::StrSplit(page, '\n')) {
    if (absl::StartsWith(line, "```")) {
      is_inside = line == "```transcript";
    } else if (is_inside) {
      lines.push_back({absl::StartsWith(line, "> "), std::string(line.substr(2)) + "\n"});
    }
  }
  return lines;
}

// The line with everything that depends on the clock or the build replaced.
std::string Shape(const std::string& line) {
  Json message = Json::parse(line);
  if (message.contains("hello")) {
    for (const char* field : {"harness", "runtime"}) message["hello"][field] = "";
    message["hello"]["tick_ns"] = 0;
  }
  if (message.contains("samples")) {
    Json& samples = message["samples"];
    for (const char* column : {"start_ns", "value_ns", "applied_ns"}) {
      samples[column] = samples[column].size();
    }
    for (auto& [name, column] : samples["steps"].items()) column = column.size();
  }
  return message.dump();
}

v1::ConfigValue Integer(const char* name, int64_t integer) {
  v1::ConfigValue value;
  value.set_name(name);
  value.set_integer(integer);
  return value;
}

v1::SetupArm& AddArm(v1::Setup& setup, const char* name, const char* runs) {
  v1::SetupArm& arm = *setup.add_arms();
  arm.set_name(name);
  arm.set_runs(runs);
  *arm.add_config() = Integer("plans", 40);
  v1::ConfigValue& strategy = *arm.add_config();
  strategy.set_name("strategy");
  strategy.set_text(runs);
  return arm;
}

v1::Setup TranscriptSetup() {
  v1::Setup setup;
  v1::SetupArm& copy = AddArm(setup, "copy", "copy");
  v1::ConfigValue& rate = *copy.add_config();
  rate.set_name("rate");
  rate.set_real(0.5);
  copy.add_uses("db");
  v1::SetupArm& rollback = AddArm(setup, "rollback", "rollback");
  v1::ConfigValue& is_cold = *rollback.add_config();
  is_cold.set_name("is_cold");
  is_cold.set_flag(true);
  for (const char* service : {"wire", "db"}) rollback.add_uses(service);
  v1::SetupArm& control = AddArm(setup, "copy.control", "copy");
  v1::ConfigValue& tags = *control.add_config();
  tags.set_name("tags");
  tags.mutable_list()->add_values("a");
  tags.mutable_list()->add_values("b");
  control.add_uses("db");
  AddArm(setup, "copy.delay", "copy");
  for (const auto& [name, address] : {std::pair("db", "host=/run/db port=5432"),
                                      std::pair("wire", "host=127.0.0.1 port=40123")}) {
    v1::ServiceAddress& service = *setup.add_services();
    service.set_name(name);
    service.set_address(address);
  }
  setup.set_seed(9007199254740991);
  setup.set_samples_max(8);
  return setup;
}

v1::Measure WarmupMeasure() {
  v1::Measure measure;
  measure.set_is_warmup(true);
  for (const uint32_t arm : {0u, 1u, 2u, 3u}) measure.add_arms(arm);
  measure.set_iterations(1);
  measure.set_arms_per_set(4);
  return measure;
}

v1::Measure TimedMeasure() {
  v1::Measure measure;
  measure.set_block(1);
  for (const uint32_t arm : {2u, 0u, 3u, 1u, 0u, 1u, 2u, 3u}) measure.add_arms(arm);
  measure.set_iterations(2);
  measure.set_washout(1);
  for (const int64_t delay_ns : {0, 0, 0, 50'000}) measure.add_delay_ns(delay_ns);
  measure.set_first_set(1);
  measure.set_arms_per_set(4);
  return measure;
}

TEST(Transcript, IsWhatTheAgentSaysAndAccepts) {
  Pipes pipes;
  pipes.MakeAgentEndsNonBlocking();
  std::thread process([&pipes] {
    for (const TranscriptLine& line : LoadTranscript()) {
      if (line.is_agents) {
        EXPECT_EQ(ReadLine(pipes.process_in.get()), line.text);
      } else {
        EXPECT_TRUE(WriteFully(pipes.process_out.get(), line.text).ok());
      }
    }
    pipes.process_out.Reset();
  });
  agent::WorkloadChannel channel(pipes.agent_out.get(), pipes.agent_in.get(), -1,
                                 absl::Seconds(30));
  EXPECT_EQ(channel.ReceiveHello().value().tick_ns(), 10);
  const v1::WorkloadReady ready = channel.Setup(TranscriptSetup()).value();
  EXPECT_EQ(ready.arms(0).config(2).real(), 0.5);
  EXPECT_TRUE(ready.arms(1).config(3).flag());
  EXPECT_EQ(ready.arms(2).config(4).list().values(1), "b");
  EXPECT_EQ(channel.Measure(WarmupMeasure()).value().steps(0).ns(1), 140120);
  const v1::SampleBlock timed = channel.Measure(TimedMeasure()).value();
  EXPECT_EQ(timed.applied_ns(2), 100040);
  EXPECT_EQ(timed.value_ns(3), 644310);
  const v1::WorkloadEvidence evidence = channel.Collect().value();
  EXPECT_EQ(evidence.arms(1).counters(0).value(), 12);
  EXPECT_EQ(evidence.arms(1).digests(0).value(), "c0ffee");
  EXPECT_TRUE(channel.Bye().ok());
  process.join();
}

// The workload that the transcript tells of.
class TranscriptWorkload : public sdk::Workload {
 public:
  sdk::About about() const override { return {"transcript", "", ""}; }

  std::optional<sdk::Error> Setup(sdk::TrialSetup& setup) override {
    EXPECT_EQ(setup.seed, uint64_t{9007199254740991});
    EXPECT_EQ(setup.services.at(0).name, "db");
    EXPECT_EQ(setup.services.at(0).address, "host=/run/db port=5432");
    EXPECT_EQ(setup.services.at(1).name, "wire");
    EXPECT_EQ(setup.arms.at(1).uses, (std::vector<std::string>{"wire", "db"}));
    EXPECT_TRUE(setup.arms.at(3).uses.empty());
    for (sdk::Arm& arm : setup.arms) {
      EXPECT_EQ(arm.config.Integer("plans", 10, 1, 100), 40);
      is_rollback_.push_back(arm.config.Choice("strategy", {"copy", "rollback"}) == "rollback");
      arm.config.Real("rate", 1);
      arm.config.Flag("is_cold", false);
      arm.config.TextOrList("tags");
    }
    setup.steps = {"update", "compute"};
    operations_.resize(setup.arms.size());
    return std::nullopt;
  }

  std::optional<sdk::Error> Run(const sdk::Operation& operation, sdk::Steps& steps) override {
    const size_t arm = static_cast<size_t>(operation.arm);
    if (is_rollback_[arm]) steps.Lap(0);
    steps.Lap(1);
    if (operation.is_counted) ++operations_[arm];
    return std::nullopt;
  }

  std::optional<sdk::Error> Collect(std::vector<sdk::Evidence>& evidence) override {
    for (size_t i = 0; i < evidence.size(); ++i) {
      evidence[i].checksum = "29af";
      evidence[i].records = operations_[i] * 82;
      evidence[i].counters = {{"client_writes", is_rollback_[i] ? operations_[i] * 3 : 0}};
      if (is_rollback_[i]) evidence[i].digests = {{"log", "c0ffee"}};
    }
    return std::nullopt;
  }

 private:
  std::vector<bool> is_rollback_;
  std::vector<int64_t> operations_;
};

TEST(Transcript, IsWhatTheSdkSaysAndAccepts) {
  Pipes pipes;
  TranscriptWorkload workload;
  int exit_code = -1;
  std::thread process([&] {
    exit_code = sdk::Serve(workload, pipes.process_in.get(), pipes.process_out.get());
    pipes.process_out.Reset();
  });
  for (const TranscriptLine& line : LoadTranscript()) {
    if (line.is_agents) {
      ASSERT_TRUE(WriteFully(pipes.agent_out.get(), line.text).ok());
    } else {
      EXPECT_EQ(Shape(ReadLine(pipes.agent_in.get())), Shape(line.text));
    }
  }
  process.join();
  EXPECT_EQ(exit_code, 0);
}

}  // namespace
}  // namespace tare
