#include "tests/e2e/tare_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/files.h"
#include "base/token.h"

namespace tare {
namespace {

constexpr char kMarkName[] = "TARE_E2E_MARK=";

std::string Slurp(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> ChildEnvironment(const std::string& mark, const std::string& directory) {
  std::vector<std::string> environment = {kMarkName + mark, "TMPDIR=" + directory};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!absl::StartsWith(text, "TMPDIR=") && !absl::StartsWith(text, kMarkName)) {
      environment.push_back(text);
    }
  }
  return environment;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

std::string Running::out() const { return Slurp(out_path_); }
std::string Running::err() const { return Slurp(err_path_); }

Outcome Running::Wait(absl::Duration timeout) {
  const absl::Time deadline = absl::Now() + timeout;
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (absl::Now() > deadline) {
      kill(pid_, SIGKILL);
      waitpid(pid_, &status, 0);
      ADD_FAILURE() << "still ran after " << absl::FormatDuration(timeout) << "\n" << err();
      break;
    }
    Clock::Real()->Wait(absl::Milliseconds(5));
  }
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return {code, out(), err()};
}

void E2eTest::SetUp() {
  // Services run under other accounts, so they must be able to enter.
  std::string base = "/tmp/tare-e2e-XXXXXX";
  ASSERT_NE(mkdtemp(base.data()), nullptr);
  directory_ = base;
  std::filesystem::permissions(directory_, std::filesystem::perms(0755));
  mark_ = RandomToken(12);
  store_ = Path("results.db");
}

void E2eTest::TearDown() {
  EXPECT_EQ(Leftovers(), "") << "left running";
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    const std::string name = entry.path().filename();
    // What tare makes for a while is named tare-…
    if (absl::StartsWith(name, "tare-")) left.push_back(name);
  }
  EXPECT_TRUE(left.empty()) << "left on disk: " << testing::PrintToString(left);
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

Running E2eTest::Start(const std::string& program, const std::vector<std::string>& arguments) {
  const char* bin = getenv("TARE_BIN");
  std::vector<std::string> command = {
      absl::StartsWith(program, "/") ? program
                                     : absl::StrCat(bin == nullptr ? "." : bin, "/", program)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = ChildEnvironment(mark_, directory_);
  environment.push_back("TARE_STORE=" + store_);
  const std::string out = Path(absl::StrCat("out-", ++started_count_));
  const std::string err = Path(absl::StrCat("err-", started_count_));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0644);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0644);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, command[0].c_str(), &actions, &attributes,
                                Pointers(command).data(), Pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  EXPECT_EQ(error, 0) << command[0];
  return Running(pid, out, err);
}

Outcome E2eTest::Tare(const std::vector<std::string>& arguments) {
  return Start("tare", arguments).Wait();
}

Outcome E2eTest::TareJudged(const std::vector<std::string>& arguments) {
  const Outcome outcome = Tare(arguments);
  const bool is_chance = outcome.code == 3 && absl::StrContains(outcome.out, "control-differs");
  return is_chance ? Tare(arguments) : outcome;
}

std::string E2eTest::Write(const std::string& name, const std::string& text) {
  const absl::Status status = WriteFile(Path(name), text);
  EXPECT_TRUE(status.ok()) << status;
  return Path(name);
}

nlohmann::json E2eTest::ReadJson(const std::string& name) const {
  return nlohmann::json::parse(Slurp(Path(name)), nullptr, /*allow_exceptions=*/false);
}

int E2eTest::CountedTrials() {
  const Outcome list = Tare({"list", "--json"});
  EXPECT_EQ(list.code, 0) << list.err;
  const nlohmann::json listed = nlohmann::json::parse(list.out, nullptr, false);
  if (listed.is_discarded() || listed["runs"].empty()) return 0;
  return listed["runs"][0]["trials_counted"].get<int>();
}

// By the mark, or, for servers that give themselves another environment, by a directory of the
// test.
bool E2eTest::IsOurs(const std::filesystem::path& process, const std::string& command) const {
  if (absl::StrContains(Slurp(process / "environ"), kMarkName + mark_)) return true;
  std::error_code gone;
  const std::string directory = std::filesystem::read_symlink(process / "cwd", gone);
  return absl::StrContains(command, directory_) || absl::StartsWith(directory, directory_ + "/");
}

std::vector<pid_t> E2eTest::Processes(const std::string& text) const {
  std::vector<pid_t> pids;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const pid_t pid = atoi(entry.path().filename().c_str());
    if (pid <= 0 || pid == getpid()) continue;
    std::string command = Slurp(entry.path() / "cmdline");
    for (char& c : command) {
      if (c == '\0') c = ' ';
    }
    if (absl::StrContains(command, text) && IsOurs(entry.path(), command)) pids.push_back(pid);
  }
  return pids;
}

pid_t E2eTest::AwaitProcess(const std::string& text) const {
  const absl::Time deadline = absl::Now() + absl::Seconds(30);
  while (absl::Now() < deadline) {
    const std::vector<pid_t> found = Processes(text);
    if (!found.empty()) return found.front();
    Clock::Real()->Wait(absl::Milliseconds(2));
  }
  ADD_FAILURE() << "no process '" << text << "' came up";
  return -1;
}

std::string E2eTest::Leftovers() const {
  const absl::Time deadline = absl::Now() + absl::Seconds(10);
  while (true) {
    std::string left;
    for (const pid_t pid : Processes("")) {
      absl::StrAppend(&left, pid, " ", Slurp(absl::StrCat("/proc/", pid, "/cmdline")), "\n");
    }
    if (left.empty() || absl::Now() > deadline) return left;
    Clock::Real()->Wait(absl::Milliseconds(20));
  }
}

std::string SmallExperiment::Yaml() const {
  std::string yaml =
      absl::StrCat("name: small\nworkload:\n  command: ", workload, "\n  timeout: 5s\n");
  if (!workload_config.empty()) absl::StrAppend(&yaml, "  config: ", workload_config, "\n");
  absl::StrAppend(&yaml, "arms:\n  a: { config: ", baseline, " }\n  b: { config: ", candidate,
                  " }\ndesign: ", design, "\nchecks: ", checks, "\n", rest, "\n");
  return yaml;
}

}  // namespace tare
