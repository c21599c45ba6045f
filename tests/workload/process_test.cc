// The agent's end against real processes: tare-spin, and scripted_workload in its moods.

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "agent/workload/channel.h"
#include "gtest/gtest.h"
#include "tests/workload/pipes.h"

namespace tare {
namespace {

// A program of build/bin with the protocol's pipes. Killed when it goes out of scope.
class ProtocolProcess {
 public:
  explicit ProtocolProcess(const std::string& program, const std::string& argument = "") {
    const std::string path = absl::StrCat(getenv("TARE_BIN"), "/", program);
    const std::string in = absl::StrCat("TARE_WORKLOAD_IN=", 3);
    const std::string out = absl::StrCat("TARE_WORKLOAD_OUT=", 4);
    char* arguments[] = {const_cast<char*>(path.c_str()),
                         argument.empty() ? nullptr : const_cast<char*>(argument.c_str()), nullptr};
    char* environment[] = {const_cast<char*>(in.c_str()), const_cast<char*>(out.c_str()), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    // First out of the way of 3 and 4, then into their place.
    posix_spawn_file_actions_adddup2(&actions, pipes_.process_in.get(), 100);
    posix_spawn_file_actions_adddup2(&actions, pipes_.process_out.get(), 101);
    posix_spawn_file_actions_adddup2(&actions, 100, 3);
    posix_spawn_file_actions_adddup2(&actions, 101, 4);
    posix_spawn_file_actions_addclose(&actions, 100);
    posix_spawn_file_actions_addclose(&actions, 101);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    EXPECT_EQ(posix_spawn(&pid_, path.c_str(), &actions, nullptr, arguments, environment), 0);
    posix_spawn_file_actions_destroy(&actions);
    pipes_.process_in.Reset();
    pipes_.process_out.Reset();
    pipes_.MakeAgentEndsNonBlocking();
  }
  ~ProtocolProcess() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  agent::WorkloadChannel Channel(absl::Duration timeout) {
    return agent::WorkloadChannel(pipes_.agent_out.get(), pipes_.agent_in.get(), -1, timeout);
  }

  int WaitForExit() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return status;
  }

 private:
  Pipes pipes_;
  pid_t pid_ = -1;
};

v1::Setup TwoArms(const std::string& mode = "") {
  v1::Setup setup;
  for (const char* name : {"a", "b"}) {
    v1::SetupArm& arm = *setup.add_arms();
    arm.set_name(name);
    v1::ConfigValue& work = *arm.add_config();
    work.set_name("work_us");
    work.set_integer(10);
    if (mode.empty()) continue;
    v1::ConfigValue& value = *arm.add_config();
    value.set_name("mode");
    value.set_text(mode);
  }
  setup.set_seed(1);
  setup.set_samples_max(4);
  return setup;
}

v1::Measure FourSamples() {
  v1::Measure measure;
  for (const uint32_t arm : {0u, 1u, 1u, 0u}) measure.add_arms(arm);
  measure.add_delay_ns(0);
  measure.add_delay_ns(5'000);
  measure.set_iterations(2);
  measure.set_arms_per_set(2);
  return measure;
}

// The first status that is not OK of a whole trial.
absl::Status RunTrial(agent::WorkloadChannel channel, const std::string& mode) {
  if (absl::Status status = channel.ReceiveHello().status(); !status.ok()) return status;
  if (absl::Status status = channel.Setup(TwoArms(mode)).status(); !status.ok()) return status;
  if (absl::Status status = channel.Measure(FourSamples()).status(); !status.ok()) return status;
  const absl::StatusOr<v1::WorkloadEvidence> evidence = channel.Collect();
  if (!evidence.ok()) return evidence.status();
  EXPECT_EQ(evidence->arms(0).operations(), mode == "no-work" ? 0 : 4);
  return channel.Bye();
}

TEST(WorkloadProcess, RunsATrialOfTareSpin) {
  ProtocolProcess process("tare-spin");
  EXPECT_EQ(RunTrial(process.Channel(absl::Seconds(30)), ""), absl::OkStatus());
  EXPECT_EQ(process.WaitForExit(), 0);
}

// A child that held the pipes would hide that the workload is gone.
TEST(WorkloadProcess, KeepsThePipesFromItsChildren) {
  ProtocolProcess process("tare-command");
  agent::WorkloadChannel channel = process.Channel(absl::Seconds(30));
  ASSERT_TRUE(channel.ReceiveHello().ok());
  v1::Setup setup;
  v1::SetupArm& arm = *setup.add_arms();
  arm.set_name("a");
  v1::ConfigValue& command = *arm.add_config();
  command.set_name("command");
  command.set_text("test ! -e /proc/$$/fd/3 -a ! -e /proc/$$/fd/4 -a -z \"$TARE_WORKLOAD_IN\"");
  v1::ConfigValue& shell = *arm.add_config();
  shell.set_name("shell");
  shell.set_flag(true);
  setup.set_samples_max(1);
  EXPECT_EQ(channel.Setup(setup).status(), absl::OkStatus());
  v1::Measure measure;
  measure.add_arms(0);
  measure.set_iterations(1);
  measure.set_arms_per_set(1);
  EXPECT_EQ(channel.Measure(measure).status(), absl::OkStatus());
}

TEST(WorkloadProcess, RunsATrialOfAProcessWithoutTheSdk) {
  for (const char* mode : {"ok", "ignores-config", "other-checksum", "no-work", "first-slow",
                           "coarse-clock", "chatty"}) {
    ProtocolProcess process("scripted_workload");
    EXPECT_EQ(RunTrial(process.Channel(absl::Seconds(30)), mode), absl::OkStatus()) << mode;
    EXPECT_EQ(process.WaitForExit(), 0) << mode;
  }
}

TEST(WorkloadProcess, ReportsEveryMisbehaviour) {
  const std::pair<const char*, absl::StatusCode> cases[] = {
      {"garbage", absl::StatusCode::kDataLoss},
      {"closes-early", absl::StatusCode::kUnavailable},
      {"dies", absl::StatusCode::kUnavailable},
      {"crashes", absl::StatusCode::kUnavailable},
      {"hangs", absl::StatusCode::kDeadlineExceeded},
  };
  for (const auto& [mode, code] : cases) {
    const absl::Duration timeout =
        code == absl::StatusCode::kDeadlineExceeded ? absl::Milliseconds(200) : absl::Seconds(30);
    ProtocolProcess at_start("scripted_workload", mode);
    EXPECT_EQ(RunTrial(at_start.Channel(timeout), "").code(), code) << mode;
    ProtocolProcess in_a_block("scripted_workload");
    EXPECT_EQ(RunTrial(in_a_block.Channel(timeout), mode).code(), code) << mode;
  }
  ProtocolProcess process("scripted_workload", "wrong-arms");
  EXPECT_EQ(RunTrial(process.Channel(absl::Seconds(30)), "").code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace tare
