// Goal: how a plan is carried out by an agent that works, fails, vanishes or is told to stop.

#include "coordinator/dispatch/dispatch.h"

#include <atomic>
#include <map>
#include <mutex>

#include "base/clock.h"
#include "base/status.h"
#include "gtest/gtest.h"
#include "tests/dispatch/scripted_agent.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kSoon = absl::Seconds(20);

class MemoryLog : public AttemptLog {
 public:
  absl::StatusOr<int32_t> Open(int32_t trial, const std::string& /*agent*/,
                               int64_t /*epoch*/) override {
    return ++attempts[trial];
  }
  absl::Status CloseLost(int32_t trial, int32_t attempt, const absl::Status& why) override {
    lost.push_back({trial, attempt});
    reason = why;
    return absl::OkStatus();
  }
  absl::StatusOr<v1::TrialRecord> Record(int32_t trial, int32_t /*attempt*/) override {
    v1::TrialRecord record;
    record.set_outcome(trial == failing_trial ? v1::TRIAL_OUTCOME_FAILED
                                              : v1::TRIAL_OUTCOME_COMPLETED);
    return record;
  }
  std::map<int32_t, int32_t> attempts;
  std::vector<std::pair<int32_t, int32_t>> lost;
  absl::Status reason;
  int32_t failing_trial = -1;
};

class DispatchTest : public testing::Test {
 protected:
  void SetUp() override {
    SessionServerOptions options;
    options.listen = "127.0.0.1:0";
    options.keep_chunk = [](const v1::Chunk&) { return absl::OkStatus(); };
    absl::StatusOr<std::unique_ptr<SessionServer>> server = StartSessionServer(std::move(options));
    ASSERT_TRUE(server.ok());
    server_ = *std::move(server);
    options_.run = "run-1";
    options_.clock = Clock::Real();
    options_.agent_wait = kSoon;
    options_.make_spec = [](int32_t trial) {
      v1::TrialSpec spec;
      spec.mutable_trial()->set_trial(trial);
      return spec;
    };
    options_.trial_done = [this](int32_t trial, const v1::TrialRecord& /*record*/) {
      done_.push_back(trial);
    };
  }

  absl::StatusOr<DispatchResult> Run(std::vector<int32_t> trials) {
    options_.trials = std::move(trials);
    absl::StatusOr<ConnectedAgent> agent = AwaitAgent(*server_, kSoon);
    if (!agent.ok()) return agent.status();
    options_.agent = *agent;
    return Dispatch(options_, *server_, log_);
  }

  // Prepare → Ready, Start → a delivered trial, Release → Released.
  static bool Work(const v1::CoordinatorMessage& message, ScriptedAgent& agent) {
    v1::AgentMessage answer;
    if (message.has_prepare()) {
      *answer.mutable_ready()->mutable_key() = message.prepare().key();
      agent.Send(answer);
    } else if (message.has_start()) {
      agent.Deliver(message.start().key(), v1::TRIAL_OUTCOME_COMPLETED);
    } else if (message.has_release()) {
      answer.mutable_released()->set_run(message.release().run());
      agent.Send(answer);
    }
    return true;
  }

  std::unique_ptr<SessionServer> server_;
  DispatchOptions options_;
  MemoryLog log_;
  std::vector<int32_t> done_;
};

TEST_F(DispatchTest, MeasuresEveryTrialInTheOrderGiven) {
  ScriptedAgent agent(server_->address(), "lab-1", Work);
  absl::StatusOr<DispatchResult> result = Run({2, 0, 1});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->end, DispatchResult::End::kComplete);
  EXPECT_EQ(done_, (std::vector<int32_t>{2, 0, 1}));
}

TEST_F(DispatchTest, StopsAtATrialThatFailed) {
  log_.failing_trial = 1;
  ScriptedAgent agent(server_->address(), "lab-1", Work);
  absl::StatusOr<DispatchResult> result = Run({0, 1, 2});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->end, DispatchResult::End::kFailed);
  EXPECT_EQ(result->failed_trial, 1);
  EXPECT_EQ(done_, (std::vector<int32_t>{0}));
}

TEST_F(DispatchTest, GivesTheTrialOfALostAgentAnotherAttempt) {
  std::atomic<bool> has_vanished = false;
  std::unique_ptr<ScriptedAgent> second;
  ScriptedAgent first(server_->address(), "lab-1",
                      [&](const v1::CoordinatorMessage& message, ScriptedAgent& agent) {
                        if (!message.has_start()) return Work(message, agent);
                        has_vanished = true;
                        return false;
                      });
  options_.tick = [&] {
    if (has_vanished && second == nullptr) {
      second = std::make_unique<ScriptedAgent>(server_->address(), "lab-2", Work);
    }
  };
  absl::StatusOr<DispatchResult> result = Run({0, 1});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->end, DispatchResult::End::kComplete);
  EXPECT_EQ(log_.lost, (std::vector<std::pair<int32_t, int32_t>>{{0, 1}}));
  EXPECT_EQ(log_.attempts[0], 2);
  EXPECT_EQ(log_.attempts[1], 1);
}

TEST_F(DispatchTest, SaysWhichAgentWasLostWhenNoOtherComes) {
  options_.agent_wait = absl::ZeroDuration();
  ScriptedAgent agent(server_->address(), "lab-1",
                      [](const v1::CoordinatorMessage& message, ScriptedAgent& /*agent*/) {
                        return !message.has_prepare();
                      });
  absl::StatusOr<DispatchResult> result = Run({0});
  EXPECT_TRUE(absl::IsUnavailable(result.status()));
  EXPECT_EQ(result.status().message(), "agent 'lab-1' closed its session");
  EXPECT_EQ(log_.lost.size(), 1u);
}

TEST_F(DispatchTest, AnAgentThatIsBusyEndsTheRunWithItsReason) {
  ScriptedAgent agent(server_->address(), "lab-1",
                      [](const v1::CoordinatorMessage& message, ScriptedAgent& scripted) {
                        if (!message.has_prepare()) return Work(message, scripted);
                        v1::AgentMessage answer;
                        *answer.mutable_refused()->mutable_key() = message.prepare().key();
                        answer.mutable_refused()->set_reason(v1::REFUSED_REASON_BUSY);
                        answer.mutable_refused()->set_text("measured by run-0 (pid 7)");
                        scripted.Send(answer);
                        return true;
                      });
  absl::StatusOr<DispatchResult> result = Run({0});
  EXPECT_EQ(FormatError(result.status()),
            "agent 'lab-1' did not take trial 0\n  detail: measured by run-0 (pid 7)\n"
            "  try: wait for the other run to end");
}

TEST_F(DispatchTest, AnInterruptionCancelsTheTrialAndKeepsWhatItDelivers) {
  std::atomic<int> cancels = 0;
  ScriptedAgent agent(server_->address(), "lab-1",
                      [&](const v1::CoordinatorMessage& message, ScriptedAgent& scripted) {
                        if (message.has_start()) {
                          server_->Interrupt();
                          return true;
                        }
                        if (message.has_cancel()) {
                          ++cancels;
                          scripted.Deliver(message.cancel().key(), v1::TRIAL_OUTCOME_CANCELLED);
                          return true;
                        }
                        return Work(message, scripted);
                      });
  absl::StatusOr<DispatchResult> result = Run({0, 1});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->end, DispatchResult::End::kInterrupted);
  EXPECT_EQ(cancels, 1);
  EXPECT_TRUE(done_.empty());
}

TEST_F(DispatchTest, NoAgentIsAnErrorThatSaysHowToStartOne) {
  absl::Status status = AwaitAgent(*server_, absl::ZeroDuration()).status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_EQ(PartsOf(status).action, "start one: tare-agent --coordinator " + server_->address());
}

}  // namespace
}  // namespace tare::coordinator
