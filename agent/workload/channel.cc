#include "agent/workload/channel.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "agent/workload/envelope.h"
#include "agent/workload/message.h"
#include "base/clock.h"
#include "base/status.h"

namespace tare::agent {
namespace {

// Passes the turn in lockstep, there and back.
constexpr char kTurn = 't';

}  // namespace

WorkloadChannel::WorkloadChannel(int to_process, int from_process, int cancel_fd,
                                 absl::Duration timeout)
    : to_process_(to_process),
      from_process_(from_process),
      cancel_fd_(cancel_fd),
      timeout_(timeout) {
  signal(SIGPIPE, SIG_IGN);
}

absl::StatusOr<v1::Hello> WorkloadChannel::ReceiveHello() {
  ASSIGN_OR_RETURN(const std::string line, ReceiveLine("hello"));
  return ParseHello(line);
}

absl::StatusOr<v1::WorkloadReady> WorkloadChannel::Setup(const v1::Setup& setup) {
  arms_.clear();
  for (const v1::SetupArm& arm : setup.arms()) arms_.push_back(arm.name());
  RETURN_IF_ERROR(Send(SetupLine(setup)));
  ASSIGN_OR_RETURN(const std::string line, ReceiveLine("ready"));
  return ParseReady(line, arms_);
}

absl::StatusOr<v1::SampleBlock> WorkloadChannel::Measure(const v1::Measure& measure) {
  RETURN_IF_ERROR(Send(MeasureLine(measure)));
  ASSIGN_OR_RETURN(const std::string line, ReceiveLine("samples"));
  return ParseSamples(line, measure);
}

absl::Status WorkloadChannel::BeginTurns(const v1::Measure& measure) {
  return Send(MeasureLine(measure));
}

absl::Status WorkloadChannel::TakeTurn() {
  RETURN_IF_ERROR(Send(std::string(1, kTurn)));
  while (received_.empty() && !is_at_end_) {
    RETURN_IF_ERROR(Wait("the turn back", /*wants_write=*/false).status());
    RETURN_IF_ERROR(ReadAvailable());
  }
  if (!received_.empty() && received_.front() == kTurn) {
    received_.erase(0, 1);
    return absl::OkStatus();
  }
  // Something else in its place: an error, or the end.
  ASSIGN_OR_RETURN(const std::string line, ReceiveLine("the turn back"));
  RETURN_IF_ERROR(OpenEnvelope(line, "error").status());
  return NotTheProtocol(line, "the turn was expected back");
}

absl::StatusOr<v1::SampleBlock> WorkloadChannel::EndTurns(const v1::Measure& measure) {
  ASSIGN_OR_RETURN(const std::string line, ReceiveLine("samples"));
  return ParseSamples(line, measure);
}

absl::StatusOr<v1::WorkloadEvidence> WorkloadChannel::Collect() {
  RETURN_IF_ERROR(Send(CollectLine()));
  ASSIGN_OR_RETURN(const std::string line, ReceiveLine("evidence"));
  return ParseEvidence(line, arms_);
}

absl::Status WorkloadChannel::Bye() {
  RETURN_IF_ERROR(Send(AgentByeLine()));
  ASSIGN_OR_RETURN(const std::string line, ReceiveLine("bye"));
  return ParseBye(line);
}

absl::Status WorkloadChannel::Send(const std::string& line) {
  absl::string_view rest = line;
  while (!rest.empty()) {
    ASSIGN_OR_RETURN(const bool can_write, Wait("room to write", /*wants_write=*/true));
    RETURN_IF_ERROR(ReadAvailable());
    if (!can_write) continue;
    const ssize_t count = write(to_process_, rest.data(), rest.size());
    if (count >= 0) {
      rest.remove_prefix(static_cast<size_t>(count));
    } else if (errno == EPIPE) {
      return absl::OkStatus();  // why it closed its end is what the next line, or its end, says
    } else if (errno != EAGAIN && errno != EINTR) {
      return ErrnoError(errno, "cannot write to the workload");
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> WorkloadChannel::ReceiveLine(const char* message) {
  size_t searched = 0;
  while (true) {
    const size_t end = received_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    searched = received_.size();
    if (is_at_end_) {
      absl::Status closed =
          MakeError(absl::StatusCode::kUnavailable, "workload closed the protocol pipe")
              .Detail(received_.empty()
                          ? absl::StrCat("'", message, "' was expected")
                          : absl::StrCat("'", message, "' was expected; its last line has ",
                                         received_.size(), " bytes and no end"));
      return closed;
    }
    RETURN_IF_ERROR(Wait(message, /*wants_write=*/false).status());
    RETURN_IF_ERROR(ReadAvailable());
  }
}

absl::StatusOr<bool> WorkloadChannel::Wait(const char* message, bool wants_write) {
  Clock& clock = *Clock::Real();
  const absl::Duration deadline = clock.Monotonic() + timeout_;
  while (true) {
    pollfd waited[] = {{is_at_end_ ? -1 : from_process_, POLLIN, 0},
                       {wants_write ? to_process_ : -1, POLLOUT, 0},
                       {cancel_fd_, POLLIN, 0}};
    // A rounded-up millisecond: poll must not spin through the last one.
    const absl::Duration left = deadline - clock.Monotonic() + absl::Milliseconds(1);
    const int64_t left_ms = std::clamp<int64_t>(absl::ToInt64Milliseconds(left), 0, INT32_MAX);
    const int ready = poll(waited, std::size(waited), static_cast<int>(left_ms));
    if (ready < 0 && errno != EINTR) return ErrnoError(errno, "cannot wait for the workload");
    if (waited[2].revents != 0) {
      return MakeError(absl::StatusCode::kCancelled, "stopped while the workload ran");
    }
    if (ready > 0) return waited[1].revents != 0;
    if (clock.Monotonic() < deadline) continue;
    return MakeError(absl::StatusCode::kDeadlineExceeded,
                     absl::StrCat("workload was silent for ", absl::FormatDuration(timeout_)))
        .Detail(
            absl::StrCat("waited for ", wants_write ? "" : "'", message, wants_write ? "" : "'"))
        .Try("give a longer 'timeout' under 'workload' if one block may take that long");
  }
}

absl::Status WorkloadChannel::ReadAvailable() {
  char buffer[1 << 16];
  while (!is_at_end_) {
    const ssize_t count = read(from_process_, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return absl::OkStatus();
    if (count < 0) return ErrnoError(errno, "cannot read from the workload");
    if (count == 0) is_at_end_ = true;
    received_.append(buffer, static_cast<size_t>(count));
    if (static_cast<int64_t>(received_.size()) > kLineBytesMax) {
      return NotTheProtocol(received_,
                            absl::StrCat("a line longer than ", kLineBytesMax, " bytes"));
    }
  }
  return absl::OkStatus();
}

std::string WorkloadErrorCode(const absl::Status& status) {
  const absl::optional<absl::Cord> code = status.GetPayload(kWorkloadCodeUrl);
  return code.has_value() ? std::string(*code) : std::string();
}

}  // namespace tare::agent
