#include "tests/launch/testing.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "agent/launch/process_table.h"
#include "base/clock.h"
#include "base/files.h"

namespace tare::agent {

void UseBuiltPrograms() {
  const char* programs = getenv("TARE_BIN");
  const char* path = getenv("PATH");
  if (programs == nullptr || path == nullptr) return;
  setenv("PATH", absl::StrCat(programs, ":", path).c_str(), 1);
}

LaunchOptions ShellOptions(const std::string& script) {
  UseBuiltPrograms();
  LaunchOptions options;
  options.command = {"/bin/sh", "-c", script};
  options.environment = {"PATH=/usr/bin:/bin"};
  return options;
}

bool WaitForOutput(Process& process, const std::string& text) {
  const absl::Duration give_up_at = Clock::Real()->Monotonic() + absl::Seconds(10);
  while (!absl::StrContains(process.LogTail(), text)) {
    if (Clock::Real()->Monotonic() > give_up_at) return false;
    Clock::Real()->Wait(absl::Milliseconds(1));
  }
  return true;
}

Watched::Watched(pid_t pid) : pidfd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}

bool Watched::WaitForEnd() const {
  if (!pidfd_.is_open()) return true;  // it had ended before it could be watched
  pollfd watched{pidfd_.get(), POLLIN, 0};
  return poll(&watched, 1, 10'000) == 1;
}

pid_t ParentOf(pid_t pid) {
  for (const ProcessEntry& process : ReadProcesses()) {
    if (process.pid == pid) return process.parent;
  }
  return -1;
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  for (const ProcessEntry& process : ReadProcesses()) {
    if (process.parent == pid && !process.is_zombie) children.push_back(process.pid);
  }
  return children;
}

ScratchDirectory::ScratchDirectory() {
  std::string path = std::filesystem::temp_directory_path() / "launch-XXXXXX";
  if (mkdtemp(path.data()) == nullptr || chmod(path.c_str(), 0777) != 0) abort();
  path_ = path;
}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void MakeFilledDirectory(const std::string& path) {
  std::filesystem::create_directories(path + "/inner");
  if (!WriteFile(path + "/inner/file", "content").ok()) abort();
}

StandIn::StandIn(const std::string& program, const std::vector<std::string>& arguments) {
  UseBuiltPrograms();
  std::vector<std::string> words = {FindProgram(program).value()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int output[2];
  if (pipe2(output, O_CLOEXEC) != 0) abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  if (posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ) != 0) abort();
  posix_spawn_file_actions_destroy(&actions);
  close(output[1]);
  char c = 0;
  while (read(output[0], &c, 1) == 1 && c != '\n') line_.push_back(c);
  close(output[0]);
}

void StandIn::Kill() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

}  // namespace tare::agent
