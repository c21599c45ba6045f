#include "agent/launch/process.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "agent/launch/message.h"
#include "agent/launch/orphans.h"
#include "agent/launch/warden_spawn.h"
#include "base/clock.h"
#include "base/status.h"
#include "base/unique_fd.h"

namespace tare::agent {
namespace {

// A warden answers a question at once unless the machine stands still.
constexpr absl::Duration kAnswerTimeMax = absl::Seconds(10);
// The longest packet that a warden sends.
constexpr size_t kAnswerBytesMax = 2 * kTailBytesMax;
// Beyond the grace, to kill descendants and delete directories.
constexpr absl::Duration kEndTimeMax = absl::Seconds(20);

absl::Status RefusalOf(const LaunchOptions& options, const std::string& step, int error_number) {
  const std::string& program = options.command[0];
  if (step == kStepUser) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("there is no user '", options.user, "' to run '", program, "'"));
  }
  if (step == kStepCpus) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("cannot run '", program, "' on CPUs ",
                                  absl::StrJoin(options.cpus, ","), ": not all are available"));
  }
  if (step == kStepBecome) {
    return ErrnoError(error_number,
                      absl::StrCat("cannot run '", program, "' as user '", options.user, "'"));
  }
  if (step == kStepDirectory) {
    return ErrnoError(error_number, absl::StrCat("cannot run '", program, "' in directory '",
                                                 options.working_directory, "'"));
  }
  // A file without a format that the kernel knows is as little executable as one without the bit.
  if (step == kStepExec && error_number == ENOEXEC) {
    return MakeError(absl::StatusCode::kPermissionDenied,
                     absl::StrCat("cannot run '", program,
                                  "': ", std::generic_category().message(error_number)))
        .Try("begin a script with its interpreter, such as #!/bin/sh");
  }
  if (step == kStepExec && error_number == ENOENT && access(program.c_str(), F_OK) == 0) {
    return MakeError(absl::StatusCode::kNotFound,
                     absl::StrCat("cannot run '", program, "': its interpreter does not exist"));
  }
  return ErrnoError(error_number, absl::StrCat("cannot run '", program, "'"));
}

absl::Status Validate(const LaunchOptions& options) {
  if (options.command.empty() || !options.command[0].starts_with('/')) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("program '", options.command.empty() ? "" : options.command[0],
                                  "' is not an absolute path"));
  }
  return absl::OkStatus();
}

StartRequest RequestOf(const LaunchOptions& options) {
  return {.command = options.command,
          .environment = options.environment,
          .working_directory = options.working_directory,
          .user = options.user,
          .cpus = options.cpus,
          .remove_after = options.remove_after,
          .remove_if_stopped = options.remove_if_stopped,
          .stop_signal = options.stop_signal,
          .grace_ms = absl::ToInt64Milliseconds(options.grace),
          .has_protocol = options.has_protocol};
}

class WardenProcess : public Process {
 public:
  WardenProcess(const LaunchOptions& options, pid_t warden, Channels channels)
      : options_(options),
        warden_(warden),
        control_(std::move(channels.control)),
        to_process_(std::move(channels.to_process)),
        from_process_(std::move(channels.from_process)) {}
  ~WardenProcess() override { Stop().IgnoreError(); }

  // Asks the warden to start the program; to be called once.
  absl::Status Start();

  pid_t pid() const override { return program_; }
  int to_process() const override { return to_process_.get(); }
  int from_process() const override { return from_process_.get(); }
  absl::StatusOr<ExitStatus> Wait(absl::Duration timeout) override;
  absl::StatusOr<ExitStatus> Stop() override;
  bool is_running() override;
  std::string LogTail() override;

 private:
  bool is_over() const { return warden_ < 0; }
  void Send(const Fields& fields);
  // Takes the next message until `deadline` (of the monotonic clock); empty when none came. Ends
  // the warden's part when the message, or its absence, is the last.
  std::optional<Fields> Receive(absl::Duration deadline);
  void Finish(const Fields& done);
  void Lose();
  void ReapWarden();

  const LaunchOptions options_;
  pid_t warden_;
  pid_t program_ = -1;
  UniqueFd control_;
  UniqueFd to_process_;
  UniqueFd from_process_;
  bool has_exited_ = false;
  std::string tail_;
  absl::StatusOr<ExitStatus> result_ = absl::UnknownError("still running");
};

absl::Status WardenProcess::Start() {
  const std::string packet = EncodeFields(FieldsOf(RequestOf(options_)));
  if (packet.size() > kLaunchBytesMax) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("arguments and environment of '", options_.command[0], "' are ",
                                  packet.size(), " bytes long"))
        .Detail(absl::StrCat("the limit is ", kLaunchBytesMax, " bytes"));
  }
  if (send(control_.get(), packet.data(), packet.size(), MSG_NOSIGNAL) < 0) {
    return ErrnoError(errno, "cannot reach tare-warden");
  }
  const auto answer = Receive(Clock::Real()->Monotonic() + kAnswerTimeMax);
  int number = 0;
  if (answer && answer->size() == 2 && (*answer)[0] == kStarted &&
      absl::SimpleAtoi((*answer)[1], &number)) {
    program_ = number;
    return absl::OkStatus();
  }
  if (answer && answer->size() == 3 && (*answer)[0] == kRefused &&
      absl::SimpleAtoi((*answer)[2], &number)) {
    ReapWarden();
    return RefusalOf(options_, (*answer)[1], number);
  }
  return MakeError(absl::StatusCode::kUnavailable,
                   absl::StrCat("tare-warden did not start '", options_.command[0], "'"));
}

void WardenProcess::Send(const Fields& fields) {
  const std::string packet = EncodeFields(fields);
  // A warden that is gone is noticed when its answer is awaited.
  while (send(control_.get(), packet.data(), packet.size(), MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

std::optional<Fields> WardenProcess::Receive(absl::Duration deadline) {
  if (is_over()) return std::nullopt;
  while (true) {
    const absl::Duration left = deadline - Clock::Real()->Monotonic();
    pollfd watched{control_.get(), POLLIN, 0};
    const int64_t left_ms =
        std::clamp<int64_t>(absl::ToInt64Milliseconds(left + absl::Microseconds(999)), 0, 60'000);
    const int ready = poll(&watched, 1, static_cast<int>(left_ms));
    if (ready > 0) break;
    if (ready < 0 && errno != EINTR) return std::nullopt;
    if (left <= absl::ZeroDuration()) return std::nullopt;
  }
  std::string packet(kAnswerBytesMax, '\0');
  ssize_t count = 0;
  do {
    count = recv(control_.get(), packet.data(), packet.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) {
    Lose();
    return std::nullopt;
  }
  packet.resize(static_cast<size_t>(count));
  std::optional<Fields> fields = DecodeFields(packet);
  if (!fields || fields->empty()) return std::nullopt;
  if ((*fields)[0] == kExited) has_exited_ = true;
  if ((*fields)[0] == kTail && fields->size() == 2) tail_ = (*fields)[1];
  if ((*fields)[0] == kDone) Finish(*fields);
  return fields;
}

void WardenProcess::Finish(const Fields& done) {
  const std::optional<ExitReport> report = ExitReportOf(done);
  if (!report) return Lose();
  ReapWarden();
  has_exited_ = true;
  tail_ = report->tail;
  ExitStatus status;
  status.user_ns = report->user_ns;
  status.system_ns = report->system_ns;
  status.memory_peak_bytes = report->memory_peak_bytes;
  status.leftovers_count = report->leftovers_count;
  if (WIFEXITED(report->wait_status)) status.code = WEXITSTATUS(report->wait_status);
  if (WIFSIGNALED(report->wait_status)) status.signal = WTERMSIG(report->wait_status);
  result_ = status;
}

// The warden was killed, or does not answer: do its work from here.
void WardenProcess::Lose() {
  kill(warden_, SIGKILL);
  ReapWarden();
  has_exited_ = true;
  EndOrphans();
  std::error_code ignored;
  for (const auto* paths : {&options_.remove_after, &options_.remove_if_stopped}) {
    for (const std::string& path : *paths) std::filesystem::remove_all(path, ignored);
  }
  result_ = MakeError(
      absl::StatusCode::kUnavailable,
      absl::StrCat("the warden of '", options_.command[0], "' died, and its processes were ended"));
}

// Once this returns, the kernel has made the warden's children ours.
void WardenProcess::ReapWarden() {
  while (waitpid(warden_, nullptr, 0) < 0 && errno == EINTR) {
  }
  ForgetWarden(std::exchange(warden_, -1));
}

absl::StatusOr<ExitStatus> WardenProcess::Wait(absl::Duration timeout) {
  const absl::Duration deadline = Clock::Real()->Monotonic() + timeout;
  while (!is_over()) {
    const bool is_late = Clock::Real()->Monotonic() >= deadline;
    if (!Receive(deadline) && is_late) {
      return MakeError(absl::StatusCode::kDeadlineExceeded,
                       absl::StrCat("'", options_.command[0], "' still runs after ",
                                    absl::FormatDuration(timeout)));
    }
  }
  return result_;
}

absl::StatusOr<ExitStatus> WardenProcess::Stop() {
  if (is_over()) return result_;
  Send({kStop});
  absl::StatusOr<ExitStatus> status = Wait(options_.grace + kEndTimeMax);
  if (!is_over()) {
    Lose();
    return result_;
  }
  return status;
}

bool WardenProcess::is_running() {
  while (!has_exited_ && Receive(absl::ZeroDuration())) {
  }
  return !has_exited_;
}

std::string WardenProcess::LogTail() {
  if (is_over()) return tail_;
  Send({kTail});
  const absl::Duration deadline = Clock::Real()->Monotonic() + kAnswerTimeMax;
  while (const auto message = Receive(deadline)) {
    if ((*message)[0] == kTail || (*message)[0] == kDone) break;
  }
  return tail_;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Process>> Launch(const LaunchOptions& options) {
  RETURN_IF_ERROR(Validate(options));
  absl::StatusOr<std::string> program = FindProgram("tare-warden");
  if (!program.ok()) {
    return MakeError(absl::StatusCode::kUnavailable, program.status().message())
        .Detail(PartsOf(program.status()).detail)
        .Try("install tare-warden beside tare-agent");
  }
  ASSIGN_OR_RETURN(Channels channels, OpenChannels(options.has_protocol));
  ASSIGN_OR_RETURN(const pid_t warden, SpawnWarden(*program, channels));
  auto process = std::make_unique<WardenProcess>(options, warden, std::move(channels));
  RETURN_IF_ERROR(process->Start());
  return process;
}

}  // namespace tare::agent
