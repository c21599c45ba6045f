#include "coordinator/dispatch/dispatch.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kTick = absl::Seconds(1);
constexpr absl::Duration kLookTimeout = absl::Seconds(60);
constexpr absl::Duration kReleaseTimeout = absl::Seconds(20);
// After Cancel: the workload's grace, services untouched.
constexpr absl::Duration kCancelTimeout = absl::Seconds(20);

using Kind = SessionEvent::Kind;

bool SameAttempt(const v1::AttemptKey& a, const v1::AttemptKey& b) {
  return a.run() == b.run() && a.trial() == b.trial() && a.attempt() == b.attempt();
}

absl::Status Interrupted() { return absl::CancelledError("interrupted"); }

absl::Status AgentGone(const SessionEvent& event) {
  return MakeError(absl::StatusCode::kUnavailable, PartsOf(event.status).what)
      .Detail(PartsOf(event.status).detail)
      .Try("look at the agent's log; continue with tare run --resume last");
}

class Conductor {
 public:
  Conductor(const DispatchOptions& options, SessionServer& server, AttemptLog& log)
      : options_(options),
        server_(server),
        log_(log),
        agent_(options.agent.id),
        epoch_(options.agent.epoch) {}

  absl::StatusOr<DispatchResult> Run() {
    DispatchResult result;
    for (const int32_t trial : options_.trials) {
      absl::StatusOr<v1::TrialRecord> record = RunTrial(trial);
      if (absl::IsCancelled(record.status())) {
        result.end = DispatchResult::End::kInterrupted;
        break;
      }
      if (!record.ok()) {
        ReleaseRun();
        return record.status();
      }
      if (record->outcome() != v1::TRIAL_OUTCOME_COMPLETED) {
        result.end = DispatchResult::End::kFailed;
        result.failed_trial = trial;
        result.record = *std::move(record);
        break;
      }
      if (options_.trial_done) options_.trial_done(trial, *record);
      const absl::StatusOr<bool> is_enough = IsEnough(trial);
      if (!is_enough.ok()) {
        ReleaseRun();
        return is_enough.status();
      }
      if (*is_enough) {
        result.end = DispatchResult::End::kEnough;
        break;
      }
    }
    ReleaseRun();
    return result;
  }

 private:
  absl::StatusOr<bool> IsEnough(int32_t trial) {
    if (!options_.is_enough || trial == options_.trials.back()) return false;
    return options_.is_enough();
  }

  // Measures one trial, with a new attempt for each lost agent. Cancelled: interrupted.
  absl::StatusOr<v1::TrialRecord> RunTrial(int32_t trial) {
    absl::Status lost;
    for (int32_t i = 0; i < kAttemptsMax; ++i) {
      RETURN_IF_ERROR(EnsureAgent());
      ASSIGN_OR_RETURN(const int32_t attempt, log_.Open(trial, agent_, epoch_));
      v1::AttemptKey key;
      key.set_run(options_.run);
      key.set_trial(trial);
      key.set_attempt(attempt);
      key.set_epoch(epoch_);
      lost = RunAttempt(key);
      if (lost.ok()) return log_.Record(trial, attempt);
      if (absl::IsCancelled(lost)) return lost;
      RETURN_IF_ERROR(log_.CloseLost(trial, attempt, lost));
      if (!absl::IsUnavailable(lost) || options_.agent_wait <= absl::ZeroDuration()) return lost;
    }
    return Annotate(lost, absl::StrCat("trial ", trial, " was lost ", kAttemptsMax, " times"));
  }

  // OK: the attempt's manifest is committed. Unavailable: its agent is lost.
  absl::Status RunAttempt(const v1::AttemptKey& key) {
    v1::CoordinatorMessage prepare;
    *prepare.mutable_prepare()->mutable_key() = key;
    *prepare.mutable_prepare()->mutable_spec() = options_.make_spec(key.trial());
    RETURN_IF_ERROR(Send(std::move(prepare)));
    is_committed_ = false;
    ASSIGN_OR_RETURN(v1::AgentMessage answer, AwaitAnswer(key, options_.prepare_timeout));
    if (answer.has_ready()) {
      v1::CoordinatorMessage start;
      *start.mutable_start()->mutable_key() = key;
      RETURN_IF_ERROR(Send(std::move(start)));
      // Bounded by the agent: every silence of the workload has a deadline, and a silent agent
      // loses its lease.
      ASSIGN_OR_RETURN(answer, AwaitAnswer(key, absl::InfiniteDuration()));
    }
    if (answer.has_refused()) {
      return MakeError(absl::StatusCode::kFailedPrecondition,
                       absl::StrCat("agent '", agent_, "' did not take trial ", key.trial()))
          .Detail(answer.refused().text())
          .Try(answer.refused().reason() == v1::REFUSED_REASON_BUSY
                   ? "wait for the other run to end"
                   : "restart the agent");
    }
    RETURN_IF_ERROR(AwaitCommit(key));
    v1::CoordinatorMessage committed;
    *committed.mutable_committed()->mutable_key() = key;
    RETURN_IF_ERROR(Send(std::move(committed)));
    return was_interrupted_ ? Interrupted() : absl::OkStatus();
  }

  absl::Status EnsureAgent() {
    if (!agent_.empty()) return absl::OkStatus();
    ASSIGN_OR_RETURN(const ConnectedAgent agent, AwaitAgent(server_, options_.agent_wait));
    agent_ = agent.id;
    epoch_ = agent.epoch;
    return absl::OkStatus();
  }

  // The next Ready, Finished or Refused that names `key`.
  absl::StatusOr<v1::AgentMessage> AwaitAnswer(const v1::AttemptKey& key, absl::Duration timeout) {
    const absl::Duration deadline = options_.clock->Monotonic() + timeout;
    while (options_.clock->Monotonic() < deadline) {
      ASSIGN_OR_RETURN(std::optional<SessionEvent> event, NextEvent(key));
      if (!event.has_value() || event->kind != Kind::kMessage) continue;
      const v1::AgentMessage& message = event->message;
      if (message.has_ready() && SameAttempt(message.ready().key(), key)) return message;
      if (message.has_finished() && SameAttempt(message.finished().key(), key)) return message;
      if (message.has_refused() && SameAttempt(message.refused().key(), key)) return message;
    }
    return MakeError(absl::StatusCode::kDeadlineExceeded,
                     absl::StrCat("agent '", agent_, "' did not answer for trial ", key.trial()))
        .Detail(absl::StrCat("waited ", absl::FormatDuration(timeout)));
  }

  absl::Status AwaitCommit(const v1::AttemptKey& key) {
    const absl::Duration deadline = options_.clock->Monotonic() + options_.commit_timeout;
    while (!is_committed_) {
      if (options_.clock->Monotonic() >= deadline) {
        return MakeError(absl::StatusCode::kDeadlineExceeded,
                         absl::StrCat("agent '", agent_, "' did not deliver trial ", key.trial()))
            .Detail(absl::StrCat("waited ", absl::FormatDuration(options_.commit_timeout)));
      }
      RETURN_IF_ERROR(NextEvent(key).status());
    }
    return absl::OkStatus();
  }

  // One event, or none within a tick. Deals with what concerns every wait: interruption, the loss
  // of our agent, failed and finished uploads.
  absl::StatusOr<std::optional<SessionEvent>> NextEvent(const v1::AttemptKey& key) {
    std::optional<SessionEvent> event = server_.NextEvent(kTick);
    if (options_.tick) options_.tick();
    if (was_interrupted_ && options_.clock->Monotonic() > interrupted_deadline_) {
      return Interrupted();
    }
    if (!event.has_value()) return event;
    switch (event->kind) {
      case Kind::kInterrupted:
        return Cancel(key);
      case Kind::kLost:
        if (event->agent != agent_ || event->epoch != epoch_) break;
        agent_.clear();
        return AgentGone(*event);
      case Kind::kUploadFailed:
        // What the agent can send again is not an end: it retries what was unavailable.
        if (!absl::IsUnavailable(event->status)) return event->status;
        break;
      case Kind::kCommitted:
        if (SameAttempt(event->committed, key)) is_committed_ = true;
        break;
      case Kind::kRegistered:
      case Kind::kMessage:
        break;
    }
    return event;
  }

  // The first interruption asks the agent to stop and keeps waiting for what it has; a second gives
  // up waiting.
  absl::StatusOr<std::optional<SessionEvent>> Cancel(const v1::AttemptKey& key) {
    if (was_interrupted_) return Interrupted();
    was_interrupted_ = true;
    interrupted_deadline_ = options_.clock->Monotonic() + kCancelTimeout;
    v1::CoordinatorMessage cancel;
    *cancel.mutable_cancel()->mutable_key() = key;
    RETURN_IF_ERROR(Send(std::move(cancel)));
    return std::optional<SessionEvent>();
  }

  // Services stop and directories go before the run is called over.
  void ReleaseRun() {
    if (agent_.empty()) return;
    v1::CoordinatorMessage release;
    release.mutable_release()->set_run(options_.run);
    if (!Send(std::move(release)).ok()) return;
    const absl::Duration deadline = options_.clock->Monotonic() + kReleaseTimeout;
    while (options_.clock->Monotonic() < deadline) {
      const std::optional<SessionEvent> event = server_.NextEvent(kTick);
      if (!event.has_value() || event->agent != agent_) continue;
      if (event->kind == Kind::kLost || event->message.has_released()) return;
    }
  }

  // NotFound here means that the agent's stream ended a moment ago.
  absl::Status Send(v1::CoordinatorMessage message) {
    const absl::Status status = server_.Send(agent_, std::move(message));
    if (!absl::IsNotFound(status)) return status;
    agent_.clear();
    return MakeError(absl::StatusCode::kUnavailable, status.message());
  }

  const DispatchOptions& options_;
  SessionServer& server_;
  AttemptLog& log_;
  std::string agent_;  // the one that measures; empty: none
  int64_t epoch_ = 0;
  bool is_committed_ = false;  // of the attempt being waited for
  bool was_interrupted_ = false;
  absl::Duration interrupted_deadline_;
};

}  // namespace

absl::StatusOr<ConnectedAgent> AwaitAgent(SessionServer& server, absl::Duration wait) {
  const absl::Duration deadline = Clock::Real()->Monotonic() + wait;
  while (true) {
    const absl::Duration left = deadline - Clock::Real()->Monotonic();
    if (left <= absl::ZeroDuration()) {
      return MakeError(absl::StatusCode::kUnavailable, "no agent is connected")
          .Detail(absl::StrCat("waited ", absl::FormatDuration(wait), " on ", server.address()))
          .Try(absl::StrCat("start one: tare-agent --coordinator ", server.address()));
    }
    std::optional<SessionEvent> event = server.NextEvent(left);
    if (!event.has_value()) continue;
    if (event->kind == Kind::kInterrupted) return Interrupted();
    if (event->kind != Kind::kRegistered) continue;
    return ConnectedAgent{event->agent, event->epoch, event->message.register_()};
  }
}

absl::StatusOr<DispatchResult> Dispatch(const DispatchOptions& options, SessionServer& server,
                                        AttemptLog& log) {
  return Conductor(options, server, log).Run();
}

absl::StatusOr<v1::Checked> LookAtMachine(SessionServer& server, const ConnectedAgent& agent,
                                          v1::Gates gates) {
  v1::CoordinatorMessage look;
  look.mutable_look()->set_gates(gates);
  RETURN_IF_ERROR(server.Send(agent.id, std::move(look)));
  const absl::Duration deadline = Clock::Real()->Monotonic() + kLookTimeout;
  while (true) {
    const absl::Duration left = deadline - Clock::Real()->Monotonic();
    if (left <= absl::ZeroDuration()) {
      return MakeError(absl::StatusCode::kDeadlineExceeded,
                       absl::StrCat("agent '", agent.id, "' did not answer"));
    }
    std::optional<SessionEvent> event = server.NextEvent(left);
    if (!event.has_value()) continue;
    if (event->kind == Kind::kInterrupted) return Interrupted();
    if (event->kind == Kind::kLost) return AgentGone(*event);
    if (event->message.has_checked()) return event->message.checked();
  }
}

}  // namespace tare::coordinator
