#include "workloads/sdk/cpp/session.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

#include "workloads/sdk/cpp/block.h"
#include "workloads/sdk/cpp/message.h"

namespace tare::sdk {
namespace {

constexpr size_t kLineBytesMax = size_t{64} << 20;

// Passes the turn in lockstep, there and back.
constexpr char kTurn = 't';

// Writes all of it, so that nothing waits in a buffer. False when the agent is gone.
bool WriteAll(int fd, const std::string& text) {
  size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = write(fd, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    sent += static_cast<size_t>(count);
  }
  return true;
}

// What comes from the agent: lines, and single bytes in lockstep.
class Input {
 public:
  explicit Input(int fd) : fd_(fd) {}

  // The next line without its newline; nothing at end of file, and for a line that never ends.
  std::optional<std::string> NextLine() {
    size_t searched = 0;
    while (received_.size() <= kLineBytesMax) {
      const size_t end = received_.find('\n', searched);
      if (end != std::string::npos) {
        std::string line = received_.substr(0, end);
        received_.erase(0, end + 1);
        return line;
      }
      searched = received_.size();
      if (!Receive()) return std::nullopt;
    }
    return std::nullopt;
  }

  // The next byte; nothing at end of file.
  std::optional<char> NextByte() {
    if (received_.empty() && !Receive()) return std::nullopt;
    const char byte = received_.front();
    received_.erase(0, 1);
    return byte;
  }

 private:
  bool Receive() {
    char buffer[1 << 16];
    ssize_t count = 0;
    do {
      count = read(fd_, buffer, sizeof buffer);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return false;
    received_.append(buffer, static_cast<size_t>(count));
    return true;
  }

  int fd_;
  std::string received_;
};

class PipeTurns : public Turns {
 public:
  PipeTurns(Input& input, int out) : input_(input), out_(out) {}
  bool Await() override { return input_.NextByte() == kTurn; }
  bool Pass() override { return WriteAll(out_, turn_); }

 private:
  const std::string turn_ = std::string(1, kTurn);
  Input& input_;
  int out_;
};

class Session {
 public:
  Session(Workload& workload, Input& input, int out)
      : workload_(workload), timed_(&workload), out_(out), turns_(input, out) {}
  Session(ContinuousWorkload& workload, Input& input, int out)
      : workload_(workload), continuous_(&workload), out_(out), turns_(input, out) {}

  bool Greet() { return Send(HelloLine(continuous_ != nullptr)); }

  // Answers one message; returns the exit code when it was the last.
  std::optional<int> Answer(Message message) {
    if (const auto* error = std::get_if<Error>(&message)) return Report(*error);
    if (auto* setup = std::get_if<SetupMessage>(&message)) return Setup(std::move(*setup));
    if (std::holds_alternative<ByeMessage>(message)) return Bye();
    if (block_ == nullptr) return Report({"the agent asked for samples before setup", "", ""});
    if (const auto* request = std::get_if<BlockRequest>(&message)) return Measure(*request);
    return Collect();
  }

 private:
  // False when the agent is gone.
  bool Send(const std::string& line) { return WriteAll(out_, line); }

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
    block_ = std::make_unique<Block>(setup.samples_max, static_cast<int>(setup.steps.size()));
    return Reply(ReadyLine(message_));
  }

  std::optional<int> Measure(const BlockRequest& request) {
    if (std::optional<Error> error = Check(request)) return Report(*error);
    std::optional<Error> error = continuous_ != nullptr ? continuous_->RunBlock(request, *block_)
                                                        : block_->Run(*timed_, request, &turns_);
    if (error.has_value()) return Report(*error);
    const auto count = static_cast<int64_t>(request.arms.size());
    for (int64_t i = request.is_warmup ? count : request.warmup_samples; i < count; ++i) {
      const int arm = request.arms[static_cast<size_t>(i)];
      evidence_[static_cast<size_t>(arm)].operations += request.iterations;
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
    return continuous_ != nullptr ? CheckContinuous(request) : CheckTimed(request);
  }

  static std::optional<Error> CheckTimed(const BlockRequest& request) {
    if (request.warmup_samples == 0) return std::nullopt;
    return Error{"the agent asked for warm-up and timed samples in one block",
                 "this workload is not continuous", ""};
  }

  static std::optional<Error> CheckContinuous(const BlockRequest& request) {
    const auto is_delay = [](int64_t delay_ns) { return delay_ns > 0; };
    const char* asked = nullptr;
    if (request.iterations != 1) asked = "iterations";
    if (request.washout != 0) asked = "washout";
    if (std::any_of(request.delay_ns.begin(), request.delay_ns.end(), is_delay)) {
      asked = "a known delay";
    }
    if (request.is_lockstep) asked = "lockstep";
    if (asked == nullptr) return std::nullopt;
    return Error{std::string("the agent asked for ") + asked,
                 "this workload is continuous: it keeps a schedule of its own", ""};
  }

  AnyWorkload& workload_;
  // One of the two is what is measured.
  Workload* timed_ = nullptr;
  ContinuousWorkload* continuous_ = nullptr;
  int out_;
  PipeTurns turns_;
  SetupMessage message_;
  std::unique_ptr<Block> block_;
  std::vector<Evidence> evidence_;
};

int ServeSession(Session session, Input& input) {
  if (!session.Greet()) return 0;
  while (std::optional<std::string> line = input.NextLine()) {
    if (std::optional<int> exit_code = session.Answer(ParseMessage(*line))) return *exit_code;
  }
  return 0;
}

}  // namespace

int Serve(Workload& workload, int in, int out) {
  Input input(in);
  return ServeSession(Session(workload, input, out), input);
}

int Serve(ContinuousWorkload& workload, int in, int out) {
  Input input(in);
  return ServeSession(Session(workload, input, out), input);
}

}  // namespace tare::sdk
