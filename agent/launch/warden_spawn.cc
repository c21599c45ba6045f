#include "agent/launch/warden_spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "agent/launch/message.h"
#include "agent/launch/orphans.h"
#include "base/status.h"

namespace tare::agent {
namespace {

// Above the numbers that the warden wants, so that no dup2 in it overwrites another.
absl::Status MoveUp(UniqueFd& fd) {
  const int moved = fcntl(fd.get(), F_DUPFD_CLOEXEC, kProtocolOutFd + 1);
  if (moved < 0) return ErrnoError(errno, "cannot duplicate a descriptor");
  fd = UniqueFd(moved);
  return absl::OkStatus();
}

absl::Status OpenPipe(UniqueFd& reader, UniqueFd& writer) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return ErrnoError(errno, "cannot make a pipe");
  reader = UniqueFd(fds[0]);
  writer = UniqueFd(fds[1]);
  return absl::OkStatus();
}

// posix_spawn runs nothing of ours between fork and exec, which matters with gRPC's threads around.
absl::StatusOr<pid_t> Spawn(const std::string& program, const Channels& channels) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  }
  posix_spawn_file_actions_adddup2(&actions, channels.warden_control.get(), kControlFd);
  if (channels.warden_in.is_open()) {
    posix_spawn_file_actions_adddup2(&actions, channels.warden_in.get(), kProtocolInFd);
    posix_spawn_file_actions_adddup2(&actions, channels.warden_out.get(), kProtocolOutFd);
  }
  sigset_t signals;
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  std::string name = program;
  char* const argv[] = {name.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error == 0) return pid;
  return MakeError(
      absl::StatusCode::kUnavailable,
      absl::StrCat("cannot start '", program, "': ", std::generic_category().message(error)));
}

}  // namespace

absl::StatusOr<Channels> OpenChannels(bool has_protocol) {
  Channels channels;
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) != 0) {
    return ErrnoError(errno, "cannot make a socket pair");
  }
  channels.control = UniqueFd(fds[0]);
  channels.warden_control = UniqueFd(fds[1]);
  RETURN_IF_ERROR(MoveUp(channels.warden_control));
  if (!has_protocol) return channels;
  RETURN_IF_ERROR(OpenPipe(channels.warden_in, channels.to_process));
  RETURN_IF_ERROR(OpenPipe(channels.from_process, channels.warden_out));
  RETURN_IF_ERROR(MoveUp(channels.warden_in));
  RETURN_IF_ERROR(MoveUp(channels.warden_out));
  // Only our ends: the flag belongs to the end, and runtimes cannot cope with it on theirs.
  if (fcntl(channels.to_process.get(), F_SETFL, O_NONBLOCK) != 0 ||
      fcntl(channels.from_process.get(), F_SETFL, O_NONBLOCK) != 0) {
    return ErrnoError(errno, "cannot make a pipe non-blocking");
  }
  return channels;
}

absl::StatusOr<pid_t> SpawnWarden(const std::string& program, Channels& channels) {
  absl::StatusOr<pid_t> warden =
      RegisterWarden([&program, &channels] { return Spawn(program, channels); });
  channels.warden_control.Reset();
  channels.warden_in.Reset();
  channels.warden_out.Reset();
  return warden;
}

}  // namespace tare::agent
