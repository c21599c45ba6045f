// Which agents hold a lease, and what they said: the logic of the session server without gRPC.
//
// Thread-safe: gRPC's callback threads push, one thread takes.

#ifndef TARE_COORDINATOR_DISPATCH_SESSION_HUB_H_
#define TARE_COORDINATOR_DISPATCH_SESSION_HUB_H_

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/unique_fd.h"
#include "coordinator/dispatch/session_server.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

// One agent's control stream, as the hub sees it.
class AgentStream {
 public:
  virtual ~AgentStream() = default;
  // Queues a message; never blocks.
  virtual void Push(v1::CoordinatorMessage message) = 0;
  // Ends the stream with a status; never blocks. Further calls do nothing.
  virtual void Close(const absl::Status& status) = 0;
};

class SessionHub {
 public:
  SessionHub(absl::Duration lease_ttl, Clock* clock);

  // A stream's first message. Gives a lease, or says why not: FailedPrecondition (no common
  // protocol), AlreadyExists (the id holds a lease under another incarnation), InvalidArgument (no
  // id). The same incarnation again replaces its old stream under a new epoch.
  absl::StatusOr<v1::Lease> Register(const v1::Register& request,
                                     const std::shared_ptr<AgentStream>& stream);

  // Any later message of the stream that holds `epoch`.
  void Receive(const std::string& agent, int64_t epoch, v1::AgentMessage message);

  // The stream of `epoch` ended. Says kLost once, unless a newer stream took its place.
  void StreamEnded(const std::string& agent, int64_t epoch);

  absl::Status Send(const std::string& agent, v1::CoordinatorMessage message);
  void Push(SessionEvent event);

  // See SessionServer.
  std::optional<SessionEvent> NextEvent(absl::Duration timeout);
  void Interrupt();

 private:
  struct Leaseholder {
    int64_t incarnation = 0;
    int64_t epoch = 0;
    absl::Duration heard;  // monotonic time of its last message
    std::shared_ptr<AgentStream> stream;
  };

  std::optional<SessionEvent> TakeEvent();
  void DropExpired() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void PushLocked(SessionEvent event) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const absl::Duration lease_ttl_;
  Clock* const clock_;
  UniqueFd event_fd_;      // readable while events wait
  UniqueFd interrupt_fd_;  // readable after Interrupt()
  absl::Mutex mutex_;
  int64_t epoch_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::string, Leaseholder> leases_ ABSL_GUARDED_BY(mutex_);
  std::deque<SessionEvent> events_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_DISPATCH_SESSION_HUB_H_
