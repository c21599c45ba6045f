// Every test runs real processes under the real warden.

#include "agent/launch/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "base/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/launch/testing.h"

namespace tare::agent {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

constexpr absl::Duration kTimeout = absl::Seconds(20);

struct Outcome {
  ExitStatus status;
  std::string output;
};

// Runs to the end.
Outcome RunToEnd(const LaunchOptions& options) {
  auto process = Launch(options);
  EXPECT_TRUE(process.ok()) << FormatError(process.status());
  if (!process.ok()) return {};
  auto status = (*process)->Wait(kTimeout);
  EXPECT_TRUE(status.ok()) << FormatError(status.status());
  return {status.value_or(ExitStatus{}), (*process)->LogTail()};
}

std::string OutputOf(const std::string& script) { return RunToEnd(ShellOptions(script)).output; }

// Waits for the peer to close, reading what comes before.
std::string ReadToEnd(int fd) {
  std::string text;
  char buffer[256];
  pollfd watched{fd, POLLIN, 0};
  while (poll(&watched, 1, 10'000) == 1) {
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count == 0) return text + "<end>";
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
  }
  return text;
}

TEST(Process, ReportsTheExitCodeAndWhatItCost) {
  const Outcome outcome =
      RunToEnd(ShellOptions("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 7"));
  EXPECT_EQ(outcome.status.code, 7);
  EXPECT_FALSE(outcome.status.signal.has_value());
  EXPECT_GT(outcome.status.user_ns + outcome.status.system_ns, 0);
  EXPECT_GT(outcome.status.memory_peak_bytes, 100'000);
  EXPECT_EQ(outcome.status.leftovers_count, 0);
}

TEST(Process, ReportsTheSignal) {
  const Outcome outcome = RunToEnd(ShellOptions("kill -SEGV $$"));
  EXPECT_EQ(outcome.status.signal, SIGSEGV);
  EXPECT_FALSE(outcome.status.code.has_value());
}

TEST(Process, SaysWhyAProgramCannotRun) {
  ScratchDirectory scratch;
  const auto make = [&scratch](const std::string& name, const std::string& text, mode_t mode) {
    const std::string path = scratch.path() + "/" + name;
    EXPECT_TRUE(WriteFile(path, text).ok());
    EXPECT_EQ(chmod(path.c_str(), mode), 0);
    return path;
  };
  const std::string plain = make("plain", "#!/bin/sh\n", 0644);
  const std::string orphan = make("orphan", "#!/no/interpreter\n", 0755);
  const std::string garbage = make("garbage", "garbage\n", 0755);
  const struct {
    std::string program;
    absl::StatusCode code;
    std::string text;
  } cases[] = {
      {"/no/such", absl::StatusCode::kNotFound, "cannot run '/no/such': No such file or directory"},
      {plain, absl::StatusCode::kPermissionDenied, "cannot run '" + plain + "': Permission denied"},
      {orphan, absl::StatusCode::kNotFound,
       "cannot run '" + orphan + "': its interpreter does not exist"},
      {garbage, absl::StatusCode::kPermissionDenied,
       "cannot run '" + garbage +
           "': Exec format error\n  try: begin a script with its interpreter, such as #!/bin/sh"},
      {"sh", absl::StatusCode::kInvalidArgument, "program 'sh' is not an absolute path"},
  };
  for (const auto& expected : cases) {
    LaunchOptions options = ShellOptions("");
    options.command = {expected.program};
    const absl::Status status = Launch(options).status();
    EXPECT_EQ(status.code(), expected.code) << expected.program;
    EXPECT_EQ(FormatError(status), expected.text);
  }
}

TEST(Process, SaysWhichOptionCannotBeMet) {
  LaunchOptions options = ShellOptions("exit 0");
  options.cpus = {0, 1000};
  EXPECT_EQ(FormatError(Launch(options).status()),
            "cannot run '/bin/sh' on CPUs 0,1000: not all are available");
  options.cpus = {};
  options.user = "no-such-user";
  EXPECT_EQ(FormatError(Launch(options).status()),
            "there is no user 'no-such-user' to run '/bin/sh'");
  options.user = "";
  options.working_directory = "/no/such";
  EXPECT_EQ(FormatError(Launch(options).status()),
            "cannot run '/bin/sh' in directory '/no/such': No such file or directory");
  options.working_directory = "/";
  options.environment = {std::string(200'000, 'x')};
  EXPECT_EQ(Launch(options).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Process, AFailedStartDeletesNothing) {
  ScratchDirectory scratch;
  LaunchOptions options = ShellOptions("");
  options.command = {"/no/such"};
  options.remove_after = {scratch.path() + "/kept"};
  MakeFilledDirectory(options.remove_after[0]);
  EXPECT_FALSE(Launch(options).ok());
  EXPECT_TRUE(std::filesystem::exists(options.remove_after[0]));
}

TEST(Process, WaitGivesUpAtItsDeadline) {
  auto process = Launch(ShellOptions("exec sleep 1000")).value();
  EXPECT_TRUE(process->is_running());
  const absl::Status status = process->Wait(absl::Milliseconds(1)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(FormatError(status), "'/bin/sh' still runs after 1ms");
}

TEST(Process, StopSendsTheSignalAskedForToTheGroup) {
  LaunchOptions options = ShellOptions("trap 'exit 9' INT; sleep 1000 & echo ready; wait; exit 1");
  options.stop_signal = SIGINT;
  // Background processes of a shell ignore SIGINT; it is the shell that must get it.
  auto process = Launch(options).value();
  ASSERT_TRUE(WaitForOutput(*process, "ready"));
  const ExitStatus status = process->Stop().value();
  EXPECT_EQ(status.code, 9);
  EXPECT_EQ(status.leftovers_count, 1);
  EXPECT_FALSE(process->is_running());
  EXPECT_EQ(process->Stop().value().code, 9);
}

TEST(Process, StopKillsWhoIgnoresTheSignal) {
  LaunchOptions options = ShellOptions("trap '' TERM; echo ready; while :; do sleep 1000; done");
  options.grace = absl::Milliseconds(20);
  auto process = Launch(options).value();
  ASSERT_TRUE(WaitForOutput(*process, "ready"));
  EXPECT_EQ(process->Stop().value().signal, SIGKILL);
}

TEST(Process, EndsAndCountsASetsidGrandchildThatIgnoresSigterm) {
  auto process =
      Launch(ShellOptions("trap '' TERM; setsid -f sh -c 'echo pid=$$=; exec sleep 1000';"
                          "read line < /dev/null; exit 3"))
          .value();
  const ExitStatus status = process->Wait(kTimeout).value();
  EXPECT_EQ(status.code, 3);
  EXPECT_EQ(status.leftovers_count, 1);
  const std::string output = process->LogTail();
  ASSERT_THAT(output, HasSubstr("pid="));
  EXPECT_EQ(kill(atoi(output.c_str() + output.find("pid=") + 4), 0), -1);
}

TEST(Process, HelpersThatLeaveWithTheProgramAreNotLeftovers) {
  EXPECT_EQ(RunToEnd(ShellOptions("(sleep 0.01) & exit 0")).status.leftovers_count, 0);
}

TEST(Process, KeepsTheEndOfALongOutputAndNeverBlocks) {
  const Outcome outcome =
      RunToEnd(ShellOptions("head -c 100000000 /dev/zero | tr '\\0' x; echo the end >&2"));
  EXPECT_EQ(outcome.status.code, 0);
  EXPECT_EQ(outcome.output.size(), 8192U);
  EXPECT_THAT(outcome.output, EndsWith("xxxxthe end\n"));
}

TEST(Process, InheritsNothingButWhatIsGiven) {
  LaunchOptions options = ShellOptions("env; pwd; cat; ls /proc/self/fd | tr '\\n' ' '; ulimit -c");
  options.environment = {"PATH=/usr/bin:/bin", "ONLY=this"};
  options.working_directory = "/usr";
  const std::string output = RunToEnd(options).output;
  EXPECT_THAT(output, HasSubstr("ONLY=this"));
  EXPECT_THAT(output, testing::Not(HasSubstr("TARE_")));
  EXPECT_THAT(output, HasSubstr("\n/usr\n"));
  EXPECT_THAT(output, EndsWith("0 1 2 3 0\n"));  // 3 is what ls itself opened
  // glibc keeps signals 32 and 33 for itself and may leave them ignored.
  EXPECT_THAT(OutputOf("grep -E 'NoNewPrivs|SigBlk|SigIgn' /proc/self/status"),
              testing::MatchesRegex("SigBlk:\t0000000000000000\nSigIgn:\t0000000.[08]0000000\n"
                                    "NoNewPrivs:\t1\n"));
}

TEST(Process, RunsOnTheCpusGiven) {
  LaunchOptions options = ShellOptions("grep Cpus_allowed_list /proc/self/status");
  options.cpus = {0};
  EXPECT_EQ(RunToEnd(options).output, "Cpus_allowed_list:\t0\n");
}

TEST(Process, TalksOverTheProtocolPipes) {
  LaunchOptions options = ShellOptions(
      "read line <&$TARE_WORKLOAD_IN; echo \"got $line\" >&$TARE_WORKLOAD_OUT;"
      "ls /proc/self/fd | tr '\\n' ' '");
  options.has_protocol = true;
  auto process = Launch(options).value();
  ASSERT_EQ(write(process->to_process(), "hello\n", 6), 6);
  EXPECT_EQ(ReadToEnd(process->from_process()), "got hello\n<end>");
  ASSERT_TRUE(process->Wait(kTimeout).ok());
  EXPECT_EQ(process->LogTail(), "0 1 2 3 4 5 ");  // 5 is what ls itself opened
}

TEST(Process, NoLaterProcessHoldsAPipeOpen) {
  LaunchOptions options = ShellOptions("exec sleep 1000");
  options.has_protocol = true;
  auto first = Launch(options).value();
  auto second = Launch(options).value();
  ASSERT_TRUE(first->Stop().ok());
  EXPECT_EQ(ReadToEnd(first->from_process()), "<end>");
  EXPECT_TRUE(second->is_running());
}

TEST(Process, RunsAsAnotherUserThatCanOpenItsPipesAgain) {
  ASSERT_EQ(geteuid(), 0u) << "needs root to change user";
  LaunchOptions options = ShellOptions(
      "id -un; id -G; read line < /proc/self/fd/$TARE_WORKLOAD_IN;"
      "echo \"got $line\" > /proc/self/fd/$TARE_WORKLOAD_OUT; echo again > /dev/stdout");
  options.user = "nobody";
  options.has_protocol = true;
  auto process = Launch(options).value();
  ASSERT_EQ(write(process->to_process(), "hello\n", 6), 6);
  EXPECT_EQ(ReadToEnd(process->from_process()), "got hello\n<end>");
  ASSERT_TRUE(process->Wait(kTimeout).ok());
  EXPECT_EQ(process->LogTail(), "nobody\n65534\nagain\n");
}

TEST(Process, DeletesDirectoriesAfterTheLastProcess) {
  ScratchDirectory scratch;
  LaunchOptions options = ShellOptions("[ -d " + scratch.path() + "/always ]");
  options.remove_after = {scratch.path() + "/always"};
  options.remove_if_stopped = {scratch.path() + "/stopped"};
  MakeFilledDirectory(options.remove_after[0]);
  MakeFilledDirectory(options.remove_if_stopped[0]);
  EXPECT_EQ(RunToEnd(options).status.code, 0);
  EXPECT_FALSE(std::filesystem::exists(options.remove_after[0]));
  EXPECT_TRUE(std::filesystem::exists(options.remove_if_stopped[0]));

  options.command = {"/bin/sleep", "1000"};
  Launch(options).value().reset();
  EXPECT_FALSE(std::filesystem::exists(options.remove_if_stopped[0]));
}

}  // namespace
}  // namespace tare::agent
