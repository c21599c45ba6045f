#include "coordinator/dispatch/session_hub.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

void Raise(int event_fd) {
  const uint64_t one = 1;
  // Cannot block or fail: the counter of an eventfd holds 2^64 - 2 of these.
  if (write(event_fd, &one, sizeof one) < 0) return;
}

void Lower(int event_fd) {
  uint64_t count = 0;
  if (read(event_fd, &count, sizeof count) < 0) return;  // EAGAIN: was not raised
}

}  // namespace

SessionHub::SessionHub(absl::Duration lease_ttl, Clock* clock)
    : lease_ttl_(lease_ttl),
      clock_(clock),
      event_fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)),
      interrupt_fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

absl::StatusOr<v1::Lease> SessionHub::Register(const v1::Register& request,
                                               const std::shared_ptr<AgentStream>& stream) {
  if (request.agent_id().empty()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "agent registers without an id");
  }
  if (request.protocol_min() > kSessionProtocol || request.protocol_max() < kSessionProtocol) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("agent '", request.agent_id(), "' speaks session protocol ",
                                  request.protocol_min(), " to ", request.protocol_max(),
                                  ", this coordinator speaks ", kSessionProtocol))
        .Try("install the same tare on both machines");
  }
  std::shared_ptr<AgentStream> replaced;
  v1::Lease lease;
  {
    absl::MutexLock lock(&mutex_);
    DropExpired();
    auto found = leases_.find(request.agent_id());
    if (found != leases_.end() && found->second.incarnation != request.incarnation()) {
      return MakeError(
                 absl::StatusCode::kAlreadyExists,
                 absl::StrCat("an agent named '", request.agent_id(), "' is already connected"))
          .Try("give one of them another name with --id");
    }
    if (found != leases_.end()) replaced = found->second.stream;
    Leaseholder holder{request.incarnation(), ++epoch_, clock_->Monotonic(), stream};
    leases_[request.agent_id()] = holder;
    lease.set_protocol(kSessionProtocol);
    lease.set_epoch(epoch_);
    lease.set_ttl_ns(absl::ToInt64Nanoseconds(lease_ttl_));
    SessionEvent event;
    event.kind = SessionEvent::Kind::kRegistered;
    event.agent = request.agent_id();
    event.epoch = epoch_;
    *event.message.mutable_register_() = request;
    PushLocked(std::move(event));
  }
  if (replaced) replaced->Close(absl::AbortedError("replaced by a newer stream of this agent"));
  return lease;
}

void SessionHub::Receive(const std::string& agent, int64_t epoch, v1::AgentMessage message) {
  absl::MutexLock lock(&mutex_);
  auto found = leases_.find(agent);
  if (found == leases_.end() || found->second.epoch != epoch) return;  // a stale stream's words
  found->second.heard = clock_->Monotonic();
  if (message.has_heartbeat()) return;
  SessionEvent event;
  event.kind = SessionEvent::Kind::kMessage;
  event.agent = agent;
  event.epoch = epoch;
  event.message = std::move(message);
  PushLocked(std::move(event));
}

void SessionHub::StreamEnded(const std::string& agent, int64_t epoch) {
  absl::MutexLock lock(&mutex_);
  auto found = leases_.find(agent);
  if (found == leases_.end() || found->second.epoch != epoch) return;
  leases_.erase(found);
  SessionEvent event;
  event.kind = SessionEvent::Kind::kLost;
  event.agent = agent;
  event.epoch = epoch;
  event.status = MakeError(absl::StatusCode::kUnavailable,
                           absl::StrCat("agent '", agent, "' closed its session"));
  PushLocked(std::move(event));
}

absl::Status SessionHub::Send(const std::string& agent, v1::CoordinatorMessage message) {
  std::shared_ptr<AgentStream> stream;
  {
    absl::MutexLock lock(&mutex_);
    auto found = leases_.find(agent);
    if (found == leases_.end()) {
      return MakeError(absl::StatusCode::kNotFound,
                       absl::StrCat("agent '", agent, "' is not connected"));
    }
    stream = found->second.stream;
  }
  stream->Push(std::move(message));
  return absl::OkStatus();
}

void SessionHub::Push(SessionEvent event) {
  absl::MutexLock lock(&mutex_);
  PushLocked(std::move(event));
}

void SessionHub::PushLocked(SessionEvent event) {
  events_.push_back(std::move(event));
  Raise(event_fd_.get());
}

// A lease that ran out: its agent may live, but nothing it says under this epoch counts any more.
void SessionHub::DropExpired() {
  const absl::Duration now = clock_->Monotonic();
  for (auto it = leases_.begin(); it != leases_.end();) {
    if (now - it->second.heard < lease_ttl_) {
      ++it;
      continue;
    }
    SessionEvent event;
    event.kind = SessionEvent::Kind::kLost;
    event.agent = it->first;
    event.epoch = it->second.epoch;
    event.status =
        MakeError(absl::StatusCode::kUnavailable, absl::StrCat("agent '", it->first, "' is silent"))
            .Detail(absl::StrCat("nothing heard for ", absl::FormatDuration(lease_ttl_)));
    PushLocked(std::move(event));
    // Safe under the lock: Close only queues.
    it->second.stream->Close(absl::DeadlineExceededError("lease ran out"));
    it = leases_.erase(it);
  }
}

std::optional<SessionEvent> SessionHub::TakeEvent() {
  absl::MutexLock lock(&mutex_);
  DropExpired();
  Lower(event_fd_.get());
  if (events_.empty()) return std::nullopt;
  SessionEvent event = std::move(events_.front());
  events_.pop_front();
  if (!events_.empty()) Raise(event_fd_.get());
  return event;
}

std::optional<SessionEvent> SessionHub::NextEvent(absl::Duration timeout) {
  const absl::Duration deadline = clock_->Monotonic() + timeout;
  while (true) {
    if (std::optional<SessionEvent> event = TakeEvent()) return event;
    const absl::Duration left = deadline - clock_->Monotonic();
    if (left <= absl::ZeroDuration()) return std::nullopt;
    // Wakes at least once a quarter of a lease to notice silent agents.
    const absl::Duration nap = std::min(left, lease_ttl_ / 4) + absl::Milliseconds(1);
    pollfd watched[2] = {{event_fd_.get(), POLLIN, 0}, {interrupt_fd_.get(), POLLIN, 0}};
    poll(watched, 2, static_cast<int>(absl::ToInt64Milliseconds(nap)));
    if ((watched[1].revents & POLLIN) != 0) {
      Lower(interrupt_fd_.get());
      SessionEvent event;
      event.kind = SessionEvent::Kind::kInterrupted;
      return event;
    }
  }
}

void SessionHub::Interrupt() { Raise(interrupt_fd_.get()); }

}  // namespace tare::coordinator
