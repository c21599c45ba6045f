// kill -9 of each side: nothing of the program may survive, however its processes hide.

#include <signal.h>

#include <filesystem>

#include "agent/launch/process.h"
#include "base/clock.h"
#include "base/files.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

// Leaves a setsid grandchild that ignores SIGTERM and writes its pid to `pid_file`.
std::string HidingScript(const std::string& pid_file) {
  return "trap '' TERM; setsid -f sh -c 'echo $$ > " + pid_file + ".new; mv " + pid_file + ".new " +
         pid_file + "; exec sleep 1000'; while [ ! -s " + pid_file +
         " ]; do sleep 0.001; done; echo ready; exec sleep 1000";
}

pid_t PidIn(const std::string& path) { return atoi(ReadFile(path).value_or("-1").c_str()); }

TEST(Death, OfTheWardenLeavesNothing) {
  ScratchDirectory scratch;
  LaunchOptions options = ShellOptions(HidingScript(scratch.path() + "/pid"));
  options.remove_after = {scratch.path() + "/data"};
  MakeFilledDirectory(options.remove_after[0]);
  auto bystander = Launch(ShellOptions("exec sleep 1000")).value();
  auto process = Launch(options).value();
  ASSERT_TRUE(WaitForOutput(*process, "ready"));
  const Watched program(process->pid());
  const Watched grandchild(PidIn(scratch.path() + "/pid"));

  kill(ParentOf(process->pid()), SIGKILL);
  const absl::Status status = process->Wait(absl::Seconds(20)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(FormatError(status), "the warden of '/bin/sh' died, and its processes were ended");
  EXPECT_TRUE(program.WaitForEnd());
  EXPECT_TRUE(grandchild.WaitForEnd());
  EXPECT_FALSE(process->is_running());
  EXPECT_FALSE(std::filesystem::exists(options.remove_after[0]));
  EXPECT_TRUE(bystander->is_running());
}

TEST(Death, OfTheWardenIsMadeGoodByTheDestructor) {
  LaunchOptions options = ShellOptions("exec sleep 1000");
  auto process = Launch(options).value();
  const Watched program(process->pid());
  kill(ParentOf(process->pid()), SIGKILL);
  process.reset();
  EXPECT_TRUE(program.WaitForEnd());
}

TEST(Death, OfTheAgentLeavesNothing) {
  ScratchDirectory scratch;
  const std::string data = scratch.path() + "/data";
  const std::string pid_file = scratch.path() + "/pid";
  MakeFilledDirectory(data);
  StandIn agent("launch_stand_in", {data, "/bin/sh", "-c", HidingScript(pid_file) + " & wait"});
  const pid_t launched = atoi(agent.line().c_str());
  ASSERT_GT(launched, 0);
  while (!std::filesystem::exists(pid_file)) Clock::Real()->Wait(absl::Milliseconds(1));
  const Watched warden(ParentOf(launched));
  const Watched program(launched);
  const Watched grandchild(PidIn(pid_file));
  agent.Kill();
  EXPECT_TRUE(warden.WaitForEnd());
  EXPECT_TRUE(program.WaitForEnd());
  EXPECT_TRUE(grandchild.WaitForEnd());
  EXPECT_FALSE(std::filesystem::exists(data));
}

TEST(Death, SigtermToTheWardenIsAStop) {
  auto process = Launch(ShellOptions("trap 'exit 5' TERM; echo ready; sleep 1000 & wait")).value();
  ASSERT_TRUE(WaitForOutput(*process, "ready"));
  kill(ParentOf(process->pid()), SIGTERM);
  EXPECT_EQ(process->Wait(absl::Seconds(20)).value().code, 5);
}

}  // namespace
}  // namespace tare::agent
