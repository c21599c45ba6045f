// Processes that take turns: the agent's end and the SDK's against each other, and against peers
// that break off or misbehave.

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "agent/workload/channel.h"
#include "base/files.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/workload/pipes.h"
#include "workloads/sdk/cpp/session.h"
#include "workloads/spin/spin.h"

namespace tare {
namespace {

v1::Setup OneArm() {
  v1::Setup setup;
  v1::SetupArm& arm = *setup.add_arms();
  arm.set_name("a");
  arm.set_runs("a");
  v1::ConfigValue& work = *arm.add_config();
  work.set_name("work_us");
  work.set_integer(0);
  setup.set_samples_max(4);
  return setup;
}

v1::Measure TurnsOf(int samples_count) {
  v1::Measure measure;
  for (int i = 0; i < samples_count; ++i) measure.add_arms(0);
  measure.set_iterations(1);
  measure.add_delay_ns(0);
  measure.set_arms_per_set(1);
  measure.set_is_lockstep(true);
  return measure;
}

// A tare-spin on a thread, up to its `ready`.
class SpinProcess {
 public:
  SpinProcess() {
    pipes_.MakeAgentEndsNonBlocking();
    thread_ = std::thread([this] {
      Spin spin;
      sdk::Serve(spin, pipes_.process_in.get(), pipes_.process_out.get());
      pipes_.process_out.Reset();
    });
    channel_ = std::make_unique<agent::WorkloadChannel>(
        pipes_.agent_out.get(), pipes_.agent_in.get(), -1, absl::Seconds(30));
    EXPECT_TRUE(channel_->ReceiveHello().ok());
    EXPECT_TRUE(channel_->Setup(OneArm()).ok());
  }
  ~SpinProcess() {
    pipes_.agent_out.Reset();
    thread_.join();
  }
  agent::WorkloadChannel& channel() { return *channel_; }

 private:
  Pipes pipes_;
  std::thread thread_;
  std::unique_ptr<agent::WorkloadChannel> channel_;
};

TEST(Lockstep, TakesOneSampleATurn) {
  SpinProcess first;
  SpinProcess second;
  const v1::Measure measure = TurnsOf(3);
  for (int block = 0; block < 2; ++block) {
    ASSERT_TRUE(first.channel().BeginTurns(measure).ok());
    ASSERT_TRUE(second.channel().BeginTurns(measure).ok());
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(first.channel().TakeTurn().ok());
      ASSERT_TRUE(second.channel().TakeTurn().ok());
    }
    for (SpinProcess* process : {&first, &second}) {
      const auto samples = process->channel().EndTurns(measure);
      ASSERT_TRUE(samples.ok()) << FormatError(samples.status());
      EXPECT_EQ(samples->value_ns_size(), 3);
      // A sample begins after the one before it has given the turn back.
      for (int i = 1; i < 3; ++i) {
        EXPECT_GE(samples->start_ns(i), samples->start_ns(i - 1) + samples->value_ns(i - 1));
      }
    }
  }
}

// What the process said, up to its end, when the agent wrote `text` and closed.
std::string Answers(const std::string& text) {
  Pipes pipes;
  EXPECT_TRUE(WriteFully(pipes.agent_out.get(), text).ok());
  pipes.agent_out.Reset();
  Spin spin;
  sdk::Serve(spin, pipes.process_in.get(), pipes.process_out.get());
  pipes.process_out.Reset();
  std::string said;
  for (std::string line; !(line = ReadLine(pipes.agent_in.get())).empty();) said += line;
  return said;
}

constexpr char kSetup[] =
    "{\"setup\":{\"arms\":[{\"name\":\"a\",\"config\":{\"work_us\":0}}],\"samples_max\":2}}\n";

// The conversation of docs/workload-protocol.md under ```lockstep, by who says it.
std::string Documented(char who) {
  const std::string path = std::string(getenv("TARE_SOURCE")) + "/docs/workload-protocol.md";
  const std::string page = ReadFile(path).value();
  std::string said;
  bool is_inside = false;
  for (absl::string_view line : absl::StrSplit(page, '\n')) {
    if (absl::StartsWith(line, "```")) is_inside = line == "```lockstep";
    if (!is_inside || line.empty() || line[0] != who) continue;
    said += std::string(line.substr(2));
    if (line.size() > 3) said.push_back('\n');  // a turn is a byte, all else a line
  }
  return said;
}

TEST(Lockstep, IsWhatTheDocumentationSays) {
  const std::string agent = Documented('>');
  const std::string process = Documented('<');
  ASSERT_THAT(agent, testing::EndsWith("}\ntt"));
  const std::string answers = Answers(kSetup + agent);
  const size_t turns = answers.find("\ntt{");
  ASSERT_NE(turns, std::string::npos) << answers;
  const auto documented = nlohmann::json::parse(process.substr(2))["samples"];
  const auto said = nlohmann::json::parse(answers.substr(turns + 3))["samples"];
  for (const auto& [key, value] : documented.items()) {
    EXPECT_EQ(said[key].size(), value.size()) << key;
  }
}

TEST(Lockstep, EndsWithTheAgent) {
  EXPECT_THAT(Answers(kSetup + Documented('>').substr(0, Documented('>').size() - 1)),
              testing::HasSubstr("the agent went away in the middle of a block"));
}

class TurnsTest : public testing::Test {
 protected:
  TurnsTest() {
    pipes_.MakeAgentEndsNonBlocking();
    channel_ = std::make_unique<agent::WorkloadChannel>(
        pipes_.agent_out.get(), pipes_.agent_in.get(), -1, absl::Milliseconds(20));
  }
  void Say(const std::string& text) {
    EXPECT_TRUE(WriteFully(pipes_.process_out.get(), text).ok());
  }

  Pipes pipes_;
  std::unique_ptr<agent::WorkloadChannel> channel_;
};

TEST_F(TurnsTest, PassOnTheErrorOfAProcessThatGivesUp) {
  Say("{\"error\":{\"code\":\"different-work\",\"message\":\"no rows\"}}\n");
  const absl::Status status = channel_->TakeTurn();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(PartsOf(status).what, "no rows");
  EXPECT_EQ(agent::WorkloadErrorCode(status), "different-work");
}

TEST_F(TurnsTest, AreNotGivenBackByOtherText) {
  Say("{\"samples\":{}}\n");
  EXPECT_EQ(channel_->TakeTurn().code(), absl::StatusCode::kDataLoss);
}

TEST_F(TurnsTest, EndWithTheProcess) {
  pipes_.process_out.Reset();
  EXPECT_EQ(channel_->TakeTurn().code(), absl::StatusCode::kUnavailable);
}

TEST_F(TurnsTest, DoNotWaitForEver) {
  const absl::Status status = channel_->TakeTurn();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(PartsOf(status).detail, "waited for 'the turn back'");
}

}  // namespace
}  // namespace tare
