// The agent's end of the session protocol: one control stream with its lease, heartbeats and
// commands. Data travels on its own stream (upload.h).
//
// Not a reconnecting client: when the stream ends, the session is over and the caller opens
// another.
//
// Next() and the destructor belong to one thread; Send() may be called from any.

#ifndef TARE_AGENT_SESSION_H_
#define TARE_AGENT_SESSION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tare/v1/session.pb.h"

namespace tare::agent {

inline constexpr int32_t kSessionProtocol = 1;

// Messages from the coordinator may be this large: a trial's plan names every sample.
inline constexpr int kMessageBytesMax = 128 << 20;

struct SessionOptions {
  std::string coordinator;  // "unix:/path" or "host:port"
  v1::Register registration;
  absl::Duration connect_timeout = absl::Seconds(10);
};

class Session {
 public:
  virtual ~Session() = default;

  virtual const v1::Lease& lease() const = 0;

  // The next command; nothing when `timeout` passes first or the session is over. Cancel, Drain and
  // the end of the session are also seen by stop_fd().
  virtual std::optional<v1::CoordinatorMessage> Next(absl::Duration timeout) = 0;

  // False once the stream has ended; end_status() then says how.
  virtual bool is_open() = 0;
  virtual absl::Status end_status() = 0;

  // Readable from the moment in which what runs must stop: a Cancel for `attempt`, or the end of
  // the session. ArmStop forgets earlier ones.
  virtual int stop_fd() const = 0;
  virtual void ArmStop(const v1::AttemptKey& attempt) = 0;

  // Unavailable when the session is over.
  virtual absl::Status Send(const v1::AgentMessage& message) = 0;
};

// Errors: Unavailable (nobody listens there), FailedPrecondition (no common protocol version),
// AlreadyExists (the id is taken), DeadlineExceeded.
absl::StatusOr<std::unique_ptr<Session>> OpenSession(const SessionOptions& options);

}  // namespace tare::agent

#endif  // TARE_AGENT_SESSION_H_
