#include "workloads/command/execution.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace tare::command {
namespace {

constexpr size_t kStderrTailBytes = 4096;

sdk::Error SystemError(const std::string& what, int error_number) {
  return {what, std::generic_category().message(error_number), ""};
}

int64_t ToNs(const timeval& time) {
  return time.tv_sec * int64_t{1'000'000'000} + time.tv_usec * int64_t{1'000};
}

std::string LastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  const size_t begin = text.rfind('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

// Attributes and file actions of a spawn, with one owner.
class SpawnSettings {
 public:
  SpawnSettings(int out, int err) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, out, 1);
    posix_spawn_file_actions_adddup2(&actions_, err, 2);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  int Spawn(const Program& program, pid_t* pid) {
    std::vector<char*> arguments;
    for (const std::string& argument : program.arguments) {
      arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    arguments.push_back(nullptr);
    return posix_spawn(pid, program.path.c_str(), &actions_, &attributes_, arguments.data(),
                       environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::optional<sdk::Error> Execution::Output::Open() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return SystemError("cannot make a pipe", errno);
  read = UniqueFd(ends[0]);
  write = UniqueFd(ends[1]);
  fcntl(read.get(), F_SETFL, O_NONBLOCK);
  return std::nullopt;
}

std::optional<sdk::Error> Execution::Open() {
  if (auto error = stdout_.Open()) return error;
  return stderr_.Open();
}

std::optional<sdk::Error> Execution::Start(const Program& program) {
  SpawnSettings settings(stdout_.write.get(), stderr_.write.get());
  if (const int error_number = settings.Spawn(program, &pid_); error_number != 0) {
    return SystemError("command '" + Shown(program) + "' cannot be started", error_number);
  }
  exit_ = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  if (!exit_.is_open()) return SystemError("cannot watch '" + Shown(program) + "'", errno);
  return std::nullopt;
}

std::optional<sdk::Error> Execution::AwaitExit() {
  pollfd waited[] = {
      {exit_.get(), POLLIN, 0}, {stdout_.read.get(), POLLIN, 0}, {stderr_.read.get(), POLLIN, 0}};
  while (true) {
    if (poll(waited, 3, -1) < 0) {
      if (errno == EINTR) continue;
      return SystemError("cannot wait for the command", errno);
    }
    if (waited[0].revents != 0) return std::nullopt;
    if (waited[1].revents != 0) DrainStdout();
    if (waited[2].revents != 0) DrainStderr();
  }
}

std::optional<sdk::Error> Execution::Finish(const Program& program, Outcome* outcome) {
  int status = 0;
  rusage usage{};
  while (wait4(pid_, &status, 0, &usage) < 0) {
    if (errno != EINTR) return SystemError("cannot reap '" + Shown(program) + "'", errno);
  }
  DrainStdout();
  DrainStderr();
  outcome->user_ns = ToNs(usage.ru_utime);
  outcome->system_ns = ToNs(usage.ru_stime);
  outcome->memory_peak_bytes = usage.ru_maxrss * int64_t{1024};
  outcome->stdout_digest = stdout_digest_;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::nullopt;
  const std::string end = WIFEXITED(status)
                              ? "exited with status " + std::to_string(WEXITSTATUS(status))
                              : "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" +
                                    strsignal(WTERMSIG(status)) + ")";
  const std::string last_line = LastLine(stderr_tail_);
  return sdk::Error{"command '" + Shown(program) + "' " + end,
                    last_line.empty()
                        ? "expected status 0; it wrote nothing to stderr"
                        : "expected status 0; last line on stderr: '" + last_line + "'",
                    "incomplete"};
}

void Execution::DrainStdout() {
  char buffer[1 << 16];
  ssize_t count;
  while ((count = read(stdout_.read.get(), buffer, sizeof buffer)) > 0) {
    for (ssize_t i = 0; i < count; ++i) {
      stdout_digest_ = (stdout_digest_ ^ static_cast<unsigned char>(buffer[i])) * 0x100000001b3;
    }
  }
}

void Execution::DrainStderr() {
  char buffer[1 << 12];
  ssize_t count;
  while ((count = read(stderr_.read.get(), buffer, sizeof buffer)) > 0) {
    stderr_tail_.append(buffer, static_cast<size_t>(count));
    if (stderr_tail_.size() > kStderrTailBytes) {
      stderr_tail_.erase(0, stderr_tail_.size() - kStderrTailBytes);
    }
  }
}

}  // namespace tare::command
