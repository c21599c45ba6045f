// The coordinator's end of the session protocol: leases, the two streams of every agent, one queue
// of events.
//
// Holds no logic about trials: it authenticates the peer, checks the protocol version, gives
// leases, passes control messages to `NextEvent` and chunks to the handler, one at a time per
// agent. gRPC's callback threads only move messages; the chunk handler runs on a thread of its own,
// so a slow store delays neither heartbeats nor commands.
//
// Thread-safe.

#ifndef TARE_COORDINATOR_DISPATCH_SESSION_SERVER_H_
#define TARE_COORDINATOR_DISPATCH_SESSION_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tare/v1/session.pb.h"

namespace tare::coordinator {

inline constexpr int32_t kSessionProtocol = 1;
// Of a whole Chunk message: a payload of 512 KiB with key and role around it.
inline constexpr int64_t kChunkMessageBytesMax = (512 << 10) + 1024;

struct SessionEvent {
  enum class Kind {
    kRegistered,    // message holds Register; the lease has been sent
    kMessage,       // any other control message (heartbeats are answered inside)
    kLost,          // the stream ended or the lease ran out
    kCommitted,     // a manifest of `committed` was kept
    kUploadFailed,  // the chunk handler refused; `status` says why
    kInterrupted,   // Interrupt() was called
  };
  Kind kind = Kind::kMessage;
  std::string agent;
  int64_t epoch = 0;
  v1::AgentMessage message;
  v1::AttemptKey committed;
  absl::Status status;
};

// Keeps one chunk; OK once it is committed. Called from one thread, never concurrently.
using ChunkHandler = std::function<absl::Status(const v1::Chunk&)>;

struct SessionServerOptions {
  // "127.0.0.1:0", "[::1]:7077": loopback TCP; port 0 takes a free one. Or "unix:/path" or
  // "unix-abstract:name": the peer must run under the same user (or root).
  std::string listen;
  absl::Duration lease_ttl = absl::Seconds(10);
  ChunkHandler keep_chunk;
};

class SessionServer {
 public:
  virtual ~SessionServer() = default;

  // Where it listens, as an agent would write it ("127.0.0.1:40123", "unix:/path").
  virtual const std::string& address() const = 0;

  // The next event, or nothing when `timeout` passes first.
  virtual std::optional<SessionEvent> NextEvent(absl::Duration timeout) = 0;

  // Queues a command for an agent; NotFound when it holds no lease.
  virtual absl::Status Send(const std::string& agent, v1::CoordinatorMessage message) = 0;

  // Makes NextEvent return kInterrupted soon. Async-signal-safe.
  virtual void Interrupt() = 0;
};

// Errors: InvalidArgument (not loopback and not a unix socket), Unavailable (address in use).
absl::StatusOr<std::unique_ptr<SessionServer>> StartSessionServer(SessionServerOptions options);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_DISPATCH_SESSION_SERVER_H_
