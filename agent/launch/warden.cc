#include "agent/launch/warden.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "agent/launch/process_table.h"

namespace tare::agent {
namespace {

// Descendants that are leaving anyway when the program ends (helpers that see a pipe close) get
// this long before they are killed and counted.
constexpr int64_t kLeaveMs = 100;
// Between two rounds of killing, as new ones may have been born in between. Doubles up to the
// maximum, so that one that hangs in the kernel does not make the warden busy.
constexpr int64_t kKillAgainMs = 10;
constexpr int64_t kKillAgainMsMax = 1000;

int64_t NowMs() {
  using std::chrono::milliseconds;
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<milliseconds>(now).count();
}

int64_t NanosecondsOf(const timeval& time) {
  return (int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1'000;
}

int OpenSignals() {
  sigset_t watched;
  sigemptyset(&watched);
  for (int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&watched, signal);
  return signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
}

}  // namespace

void SendToAgent(const Fields& fields) {
  const std::string packet = EncodeFields(fields);
  while (send(kControlFd, packet.data(), packet.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

Warden::Warden(StartRequest request, const StartedProgram& program)
    : request_(std::move(request)),
      program_(program.pid),
      output_(program.output_fd),
      signals_(OpenSignals()) {}

void Warden::Run() {
  ReapChildren();  // whoever was faster than the signal descriptor
  while (has_children_) {
    pollfd watched[] = {{signals_.get(), POLLIN, 0},
                        {output_.get(), POLLIN, 0},
                        {has_agent_ ? kControlFd : -1, POLLIN, 0}};
    int timeout_ms = -1;
    if (act_at_ms_ >= 0) {
      timeout_ms = static_cast<int>(std::clamp<int64_t>(act_at_ms_ - NowMs(), 0, 60'000));
    }
    if (poll(watched, std::size(watched), timeout_ms) < 0 && errno != EINTR) break;
    if (watched[1].revents != 0) DrainOutput();
    if (watched[2].revents != 0) HandleControl();
    if (watched[0].revents != 0) HandleSignals();
    if (act_at_ms_ >= 0 && NowMs() >= act_at_ms_) Act();
  }
  DrainOutput();
  std::error_code ignored;  // what cannot be deleted is found by the next agent's sweep
  for (const std::string& path : request_.remove_after) {
    std::filesystem::remove_all(path, ignored);
  }
  if (was_stopped_) {
    for (const std::string& path : request_.remove_if_stopped) {
      std::filesystem::remove_all(path, ignored);
    }
  }
  report_.leftovers_count = static_cast<int>(leftovers_.size());
  report_.tail = tail_.Text();
  SendToAgent(FieldsOf(report_));
}

void Warden::HandleControl() {
  char buffer[256];
  const ssize_t count = recv(kControlFd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {
    has_agent_ = false;
    was_stopped_ = true;
    RequestStop();
    return;
  }
  const auto fields = DecodeFields(std::string(buffer, static_cast<size_t>(count)));
  if (fields == Fields{kStop}) RequestStop();
  if (fields == Fields{kTail}) {
    DrainOutput();
    SendToAgent({kTail, tail_.Text()});
  }
}

void Warden::HandleSignals() {
  signalfd_siginfo info;
  while (read(signals_.get(), &info, sizeof info) == sizeof info) {
    if (info.ssi_signo != SIGCHLD) RequestStop();
  }
  ReapChildren();
}

// At most a pipe's content at once, so that a program that never stops writing cannot keep the
// warden from hearing the agent.
void Warden::DrainOutput() {
  constexpr int kReadsMax = 16;
  char buffer[64 << 10];
  for (int i = 0; i < kReadsMax && output_.is_open(); ++i) {
    const ssize_t count = read(output_.get(), buffer, sizeof buffer);
    if (count == 0) output_.Reset();
    if (count <= 0) return;
    tail_.Append(buffer, static_cast<size_t>(count));
  }
}

void Warden::ReapChildren() {
  while (true) {
    int status = 0;
    rusage usage{};
    const pid_t pid = wait4(-1, &status, WNOHANG, &usage);
    if (pid < 0) has_children_ = false;
    if (pid <= 0) return;
    if (pid != program_) continue;
    program_ = -1;
    report_.wait_status = status;
    report_.user_ns = NanosecondsOf(usage.ru_utime);
    report_.system_ns = NanosecondsOf(usage.ru_stime);
    report_.memory_peak_bytes = int64_t{usage.ru_maxrss} * 1024;
    SendToAgent({kExited});
    if (phase_ != Phase::kEnding) {
      phase_ = Phase::kEnding;
      act_at_ms_ = NowMs() + kLeaveMs;
    }
  }
}

void Warden::RequestStop() {
  if (phase_ != Phase::kRunning) return;
  was_stopped_ = true;
  phase_ = Phase::kStopping;
  act_at_ms_ = NowMs() + request_.grace_ms;
  kill(-program_, request_.stop_signal);
}

void Warden::Act() {
  phase_ = Phase::kEnding;
  KillDescendants();
  kill_again_ms_ = std::clamp(2 * kill_again_ms_, kKillAgainMs, kKillAgainMsMax);
  act_at_ms_ = NowMs() + kill_again_ms_;
}

void Warden::KillDescendants() {
  for (const ProcessEntry& process : WithDescendants(ReadProcesses(), {getpid()})) {
    if (process.pid == getpid() || process.is_zombie) continue;
    kill(process.pid, SIGKILL);
    if (process.pid != program_) leftovers_.insert(process.pid);
  }
}

}  // namespace tare::agent
