#include "agent/agent.h"

#include <unistd.h>

#include <utility>

#include "agent/attempt_writer.h"
#include "agent/machine/identity.h"
#include "base/status.h"
#include "base/version.h"

namespace tare::agent {
namespace {

constexpr absl::Duration kIdleWait = absl::Seconds(60);

Workbench MakeWorkbench(const AgentOptions& options, Clock* clock) {
  PreflightOptions preflight;
  preflight.data_directory = options.work_directory;
  preflight.clock = clock;
  preflight.own_pids = {getpid()};
  return Workbench{clock, ReadMachine("/"), ServiceSet(options.work_directory),
                   Preflight(std::move(preflight))};
}

bool SameAttempt(const v1::AttemptKey& a, const v1::AttemptKey& b) {
  return a.run() == b.run() && a.trial() == b.trial() && a.attempt() == b.attempt();
}

}  // namespace

Agent::Agent(AgentOptions options, Clock* clock)
    : options_(std::move(options)),
      incarnation_(absl::ToUnixNanos(clock->Now())),
      workbench_(MakeWorkbench(options_, clock)) {}

Agent::~Agent() { EndRun(); }

absl::Status Agent::Serve() {
  SessionOptions options;
  options.coordinator = options_.coordinator;
  options.registration.set_agent_id(options_.id);
  options.registration.set_incarnation(incarnation_);
  options.registration.set_protocol_min(kSessionProtocol);
  options.registration.set_protocol_max(kSessionProtocol);
  options.registration.set_build(kVersion);
  *options.registration.mutable_machine() = workbench_.machine;
  ASSIGN_OR_RETURN(session_, OpenSession(options));
  absl::Status status;
  while (status.ok() && !is_draining_) {
    const std::optional<v1::CoordinatorMessage> message = session_->Next(kIdleWait);
    if (message.has_value()) {
      status = Handle(*message);
    } else if (!session_->is_open()) {
      status = MakeError(absl::StatusCode::kAborted, "the coordinator ended the session")
                   .Detail(session_->end_status().message());
    }
  }
  EndRun();
  session_.reset();
  return status;
}

absl::Status Agent::Handle(const v1::CoordinatorMessage& message) {
  switch (message.message_case()) {
    case v1::CoordinatorMessage::kPrepare:
      return HandlePrepare(message.prepare());
    case v1::CoordinatorMessage::kStart:
      return HandleStart(message.start());
    case v1::CoordinatorMessage::kCancel:
      return HandleCancel(message.cancel());
    case v1::CoordinatorMessage::kLook:
      return HandleLook(message.look());
    case v1::CoordinatorMessage::kRelease:
      return HandleRelease(message.release());
    case v1::CoordinatorMessage::kDrain:
      is_draining_ = true;
      return absl::OkStatus();
    case v1::CoordinatorMessage::kCommitted:  // its chunks left the spool as they were acknowledged
    case v1::CoordinatorMessage::kLease:
    case v1::CoordinatorMessage::MESSAGE_NOT_SET:
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

absl::Status Agent::HandlePrepare(const v1::Prepare& prepare) {
  const v1::AttemptKey& key = prepare.key();
  if (key.epoch() != session_->lease().epoch()) {
    return Refuse(key, v1::REFUSED_REASON_STALE_EPOCH, "the command's lease is not this one");
  }
  if (trial_ != nullptr) {
    if (SameAttempt(key, key_)) return absl::OkStatus();  // said twice
    return Refuse(key, v1::REFUSED_REASON_BUSY, "another attempt is running");
  }
  if (absl::Status status = TakeMachine(key.run()); !status.ok()) {
    return Refuse(key, v1::REFUSED_REASON_BUSY, FormatError(status));
  }
  key_ = key;
  session_->ArmStop(key);
  trial_ = std::make_unique<TrialRunner>(&workbench_, key, prepare.spec(), session_->stop_fd());
  if (!trial_->Prepare().ok()) return DeliverTrial();
  v1::AgentMessage message;
  *message.mutable_ready()->mutable_key() = key;
  return session_->Send(message);
}

absl::Status Agent::HandleStart(const v1::Start& start) {
  if (trial_ == nullptr || !SameAttempt(start.key(), key_)) {
    return Refuse(start.key(), v1::REFUSED_REASON_UNKNOWN, "this attempt is not prepared here");
  }
  v1::AgentMessage running;
  *running.mutable_running()->mutable_key() = key_;
  RETURN_IF_ERROR(session_->Send(running));
  workbench_.clock->Wait(absl::FromUnixNanos(start.start_unix_ns()) - workbench_.clock->Now());
  trial_->Measure();
  return DeliverTrial();
}

// A trial that was measuring has seen the stop descriptor and is delivered; what is left here is
// one that was prepared and never started.
absl::Status Agent::HandleCancel(const v1::Cancel& cancel) {
  if (trial_ == nullptr || !SameAttempt(cancel.key(), key_)) return absl::OkStatus();
  return DeliverTrial();
}

absl::Status Agent::HandleLook(const v1::Look& look) {
  v1::AgentMessage message;
  v1::Checked* checked = message.mutable_checked();
  *checked->mutable_machine() = workbench_.machine;
  for (v1::Check& check : workbench_.preflight.Before(look.gates(), /*with_busy_second=*/true)) {
    *checked->add_checks() = std::move(check);
  }
  return session_->Send(message);
}

absl::Status Agent::HandleRelease(const v1::Release& release) {
  EndRun();
  v1::AgentMessage message;
  message.mutable_released()->set_run(release.run());
  return session_->Send(message);
}

absl::Status Agent::TakeMachine(const std::string& run) {
  if (lock_.has_value()) return absl::OkStatus();
  ASSIGN_OR_RETURN(MachineLock lock, MachineLock::Take(options_.lock_path, run));
  lock_.emplace(std::move(lock));
  absl::StatusOr<std::unique_ptr<Spool>> spool = Spool::Open(options_.spool_directory, {});
  if (!spool.ok()) {
    lock_.reset();
    return spool.status();
  }
  spool_ = *std::move(spool);
  upload_ = StartUpload(options_.coordinator, spool_.get());
  return absl::OkStatus();
}

absl::Status Agent::DeliverTrial() {
  TrialResult result = trial_->Finish();
  trial_.reset();
  AttemptWriter writer(spool_.get(), key_, incarnation_);
  for (const RoleBlocks& role : result.roles) {
    for (const v1::SampleBlock& block : role.blocks) {
      RETURN_IF_ERROR(writer.Add(role.role, block));
    }
  }
  RETURN_IF_ERROR(writer.AddRecord(result.record));
  RETURN_IF_ERROR(writer.Close());
  v1::AgentMessage message;
  *message.mutable_finished()->mutable_key() = key_;
  message.mutable_finished()->set_outcome(result.record.outcome());
  return session_->Send(message);
}

absl::Status Agent::Refuse(const v1::AttemptKey& key, v1::RefusedReason reason,
                           const std::string& text) {
  v1::AgentMessage message;
  *message.mutable_refused()->mutable_key() = key;
  message.mutable_refused()->set_reason(reason);
  message.mutable_refused()->set_text(text);
  return session_->Send(message);
}

void Agent::EndRun() {
  trial_.reset();
  workbench_.services.StopAll();
  upload_.reset();
  spool_.reset();
  lock_.reset();
}

}  // namespace tare::agent
