#include "workloads/sdk/cpp/session.h"

#include <unistd.h>

#include <cerrno>
#include <memory>

#include "workloads/sdk/cpp/block.h"
#include "workloads/sdk/cpp/message.h"

namespace tare::sdk {
namespace {

constexpr size_t kLineBytesMax = size_t{64} << 20;

// One line after the other from a pipe.
class LineReader {
 public:
  explicit LineReader(int fd) : fd_(fd) {}

  // The next line without its newline; nothing at end of file, and for a line that never ends.
  std::optional<std::string> Next() {
    size_t searched = 0;
    while (received_.size() <= kLineBytesMax) {
      const size_t end = received_.find('\n', searched);
      if (end != std::string::npos) {
        std::string line = received_.substr(0, end);
        received_.erase(0, end + 1);
        return line;
      }
      searched = received_.size();
      char buffer[1 << 16];
      const ssize_t count = read(fd_, buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      received_.append(buffer, static_cast<size_t>(count));
    }
    return std::nullopt;
  }

 private:
  int fd_;
  std::string received_;
};

class Session {
 public:
  Session(Workload& workload, int out) : workload_(workload), out_(out) {}

  // Answers one message; returns the exit code when it was the last.
  std::optional<int> Answer(Message message) {
    if (const auto* error = std::get_if<Error>(&message)) return Report(*error);
    if (auto* setup = std::get_if<SetupMessage>(&message)) return Setup(std::move(*setup));
    if (std::holds_alternative<ByeMessage>(message)) return Bye();
    if (block_ == nullptr) return Report({"the agent asked for samples before setup", "", ""});
    if (const auto* request = std::get_if<BlockRequest>(&message)) return Measure(*request);
    return Collect();
  }

  // Writes one whole line, so that nothing waits in a buffer. False when the agent is gone.
  bool Send(const std::string& line) {
    size_t sent = 0;
    while (sent < line.size()) {
      const ssize_t count = write(out_, line.data() + sent, line.size() - sent);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      sent += static_cast<size_t>(count);
    }
    return true;
  }

 private:
  std::optional<int> Reply(const std::string& line) {
    return Send(line) ? std::optional<int>() : 0;
  }

  int Report(const Error& error) {
    Send(ErrorLine(error));
    return 1;
  }

  std::optional<int> Setup(SetupMessage message) {
    if (block_ != nullptr) return Report({"the agent sent setup twice", "", ""});
    message_ = std::move(message);
    TrialSetup& setup = message_.setup;
    // What the workload says comes last: a wrong setting is often the reason for it.
    std::optional<Error> failure = workload_.Setup(setup);
    for (const Arm& arm : setup.arms) {
      if (arm.config.error().has_value()) return Report(*arm.config.error());
    }
    if (failure.has_value()) return Report(*failure);
    for (const Arm& arm : setup.arms) {
      if (std::optional<Error> unread = arm.config.FirstUnread()) return Report(*unread);
    }
    evidence_.resize(setup.arms.size());
    block_ = std::make_unique<Block>(message_.samples_max, static_cast<int>(setup.steps.size()));
    return Reply(ReadyLine(message_));
  }

  std::optional<int> Measure(const BlockRequest& request) {
    if (std::optional<Error> error = Check(request)) return Report(*error);
    if (std::optional<Error> error = block_->Run(workload_, request)) return Report(*error);
    if (!request.is_warmup) {
      for (const int arm : request.arms) {
        evidence_[static_cast<size_t>(arm)].operations += request.iterations;
      }
    }
    return Reply(SamplesLine(request, *block_, message_.setup.steps));
  }

  std::optional<int> Collect() {
    if (std::optional<Error> error = workload_.Collect(evidence_)) return Report(*error);
    return Reply(EvidenceLine(message_.setup.arms, evidence_));
  }

  int Bye() {
    Send(ByeLine());
    return 0;
  }

  std::optional<Error> Check(const BlockRequest& request) const {
    const size_t arms_count = message_.setup.arms.size();
    const auto is_arm = [arms_count](int arm) {
      return arm >= 0 && static_cast<size_t>(arm) < arms_count;
    };
    bool is_sound = is_arm(request.washout_arm);
    for (const int arm : request.arms) is_sound = is_sound && is_arm(arm);
    if (!request.delay_ns.empty()) is_sound = is_sound && request.delay_ns.size() == arms_count;
    if (!is_sound) {
      return Error{"the agent asked for an arm that setup did not have",
                   "setup had " + std::to_string(arms_count) + " arms", ""};
    }
    if (static_cast<int64_t>(request.arms.size()) > block_->samples_max()) {
      return Error{"the agent asked for " + std::to_string(request.arms.size()) + " samples",
                   "setup said at most " + std::to_string(block_->samples_max()), ""};
    }
    return std::nullopt;
  }

  Workload& workload_;
  int out_;
  SetupMessage message_;
  std::unique_ptr<Block> block_;
  std::vector<Evidence> evidence_;
};

}  // namespace

int Serve(Workload& workload, int in, int out) {
  LineReader reader(in);
  Session session(workload, out);
  if (!session.Send(HelloLine())) return 0;
  while (std::optional<std::string> line = reader.Next()) {
    if (std::optional<int> exit_code = session.Answer(ParseMessage(*line))) return *exit_code;
  }
  return 0;
}

}  // namespace tare::sdk
