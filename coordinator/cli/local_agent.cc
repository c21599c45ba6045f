#include "coordinator/cli/local_agent.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/token.h"

namespace tare::coordinator {
namespace {

// After the session: services stop, directories go.
constexpr absl::Duration kEndTimeout = absl::Seconds(15);
constexpr absl::Duration kEndPoll = absl::Milliseconds(5);

std::filesystem::path OwnDirectory() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path() : self.parent_path();
}

absl::StatusOr<pid_t> SpawnInOwnGroup(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t pid = 0;
  const int error =
      posix_spawn(&pid, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return ErrnoError(error, absl::StrCat("cannot start '", command[0], "'"));
  return pid;
}

}  // namespace

std::string PrivateAddress() { return absl::StrCat("unix-abstract:tare-", RandomToken(20)); }

absl::StatusOr<LocalAgent> LocalAgent::Start(const std::string& coordinator,
                                             const std::string& spool) {
  const std::filesystem::path program = OwnDirectory() / "tare-agent";
  if (access(program.c_str(), X_OK) != 0) {
    return MakeError(absl::StatusCode::kNotFound, "program 'tare-agent' is missing")
        .Detail(absl::StrCat("looked for ", program.string()))
        .Try("install tare's programs into one directory");
  }
  ASSIGN_OR_RETURN(const pid_t pid, SpawnInOwnGroup({program, "--coordinator", coordinator, "--id",
                                                     "local", "--spool", spool, "--once"}));
  return LocalAgent(pid);
}

LocalAgent::LocalAgent(LocalAgent&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}

LocalAgent::~LocalAgent() {
  if (pid_ == 0) return;
  Clock* const clock = Clock::Real();
  const absl::Duration deadline = clock->Monotonic() + kEndTimeout;
  while (clock->Monotonic() < deadline) {
    if (waitpid(pid_, nullptr, WNOHANG) != 0) return;
    clock->Wait(kEndPoll);
  }
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace tare::coordinator
