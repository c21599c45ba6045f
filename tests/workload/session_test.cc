// The SDK's end of the protocol against an agent that is wrong or gone.

#include "workloads/sdk/cpp/session.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.h"
#include "gtest/gtest.h"
#include "tests/workload/pipes.h"
#include "workloads/spin/spin.h"

namespace tare {
namespace {

constexpr char kSetup[] =
    R"({"setup":{"arms":[{"name":"a","config":{"work_us":0}}],"samples_max":2}})";

struct Served {
  int exit_code;
  std::string last_line;
};

// Sends `lines` to a tare-spin served in this process, then end of file.
Served ServeSpin(const std::vector<std::string>& lines) {
  Pipes pipes;
  for (const std::string& line : lines) {
    EXPECT_TRUE(WriteFully(pipes.agent_out.get(), line + "\n").ok());
  }
  pipes.agent_out.Reset();
  Spin spin;
  Served served;
  served.exit_code = sdk::Serve(spin, pipes.process_in.get(), pipes.process_out.get());
  pipes.process_out.Reset();
  std::string line;
  while (!(line = ReadLine(pipes.agent_in.get())).empty()) served.last_line = line;
  return served;
}

TEST(Session, StopsAtEndOfFile) {
  const Served served = ServeSpin({kSetup});
  EXPECT_EQ(served.exit_code, 0);
  EXPECT_EQ(served.last_line,
            "{\"ready\":{\"arms\":[{\"name\":\"a\",\"runs\":\"\",\"config\":{\"work_us\":0}}]}}\n");
}

struct WrongAgent {
  std::vector<std::string> lines;
  std::string message;
  std::string detail;
};

TEST(Session, SaysWhatTheAgentDidWrong) {
  const WrongAgent wrongs[] = {
      {{"hello"}, "the agent sent a line that is not the workload protocol", "hello"},
      {{R"({"start":{}})"},
       "the agent sent 'start', which this program does not know",
       "it knows: setup, measure, collect, bye"},
      {{R"({"setup":{}})"},
       "the agent sent a 'setup' that this program cannot read",
       "field 'arms' has a wrong type or value"},
      {{R"({"setup":{"arms":[{"name":"a","config":{"x":{}}}]}})"},
       "the agent sent a 'setup' that this program cannot read",
       "field 'config.x' has a wrong type or value"},
      {{R"({"setup":{"arms":[{"name":"a","config":[1]}]}})"},
       "the agent sent a 'setup' that this program cannot read",
       "field 'config' has a wrong type or value"},
      {{R"({"collect":{}})"}, "the agent asked for samples before setup", ""},
      {{kSetup, kSetup}, "the agent sent setup twice", ""},
      {{kSetup, R"({"measure":{"arms":[0],"arms_per_set":1}})"},
       "the agent sent a 'measure' that this program cannot read",
       "field 'iterations' has a wrong type or value"},
      {{kSetup, R"({"measure":{"arms":[0,0,0],"iterations":1,"arms_per_set":1}})"},
       "the agent asked for 3 samples",
       "setup said at most 2"},
      {{kSetup, R"({"measure":{"arms":[1],"iterations":1,"arms_per_set":1}})"},
       "the agent asked for an arm that setup did not have",
       "setup had 1 arms"},
      {{kSetup, R"({"measure":{"arms":[0],"iterations":1,"arms_per_set":1,"washout_arm":1}})"},
       "the agent asked for an arm that setup did not have",
       "setup had 1 arms"},
      {{kSetup, R"({"measure":{"arms":[0],"iterations":1,"arms_per_set":1,"delay_ns":[1,2]}})"},
       "the agent asked for an arm that setup did not have",
       "setup had 1 arms"},
  };
  for (const WrongAgent& wrong : wrongs) {
    const Served served = ServeSpin(wrong.lines);
    EXPECT_EQ(served.exit_code, 1);
    const nlohmann::json error = nlohmann::json::parse(served.last_line).at("error");
    EXPECT_EQ(error.at("message"), wrong.message);
    EXPECT_EQ(error.at("detail"), wrong.detail);
  }
}

// Output of a program of build/bin and its exit code.
struct Started {
  int exit_code;
  std::string output;
};

Started Start(const std::string& command) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    const std::string line = std::string("exec ") + getenv("TARE_BIN") + "/" + command;
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  Started started;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    started.output.append(buffer, static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  started.exit_code = WEXITSTATUS(status);
  return started;
}

TEST(Main, SaysHowToUseAWorkloadThatIsStartedByHand) {
  const Started started = Start("tare-spin");
  EXPECT_EQ(started.exit_code, 64);
  EXPECT_EQ(started.output,
            "tare-spin is a workload: it is started by tare, not by hand\n"
            "  detail: TARE_WORKLOAD_IN and TARE_WORKLOAD_OUT do not name two open pipes\n"
            "  try: name it under 'workload' in an experiment, then: tare run FILE\n");
  EXPECT_EQ(Start("tare-spin --fast").exit_code, 64);
  EXPECT_EQ(Start("tare-spin --version").exit_code, 0);
  const Started help = Start("tare-spin --help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.output.find("  work_us  microseconds of work"), std::string::npos);
}

TEST(Main, RefusesDescriptorsThatAreNotOpen) {
  ASSERT_EQ(setenv("TARE_WORKLOAD_IN", "900", 1), 0);
  ASSERT_EQ(setenv("TARE_WORKLOAD_OUT", "9x", 1), 0);
  EXPECT_EQ(Start("tare-spin").exit_code, 64);
  unsetenv("TARE_WORKLOAD_IN");
  unsetenv("TARE_WORKLOAD_OUT");
}

}  // namespace
}  // namespace tare
