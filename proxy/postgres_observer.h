// Counts what passes on one connection of the PostgreSQL protocol, version 3, and how long the
// server takes to answer.
//
// It only listens: it changes nothing, delays nothing and cannot fail. Whatever it does not
// understand, and whatever is encrypted, ends the observation with a reason; all later bytes are
// ignored. It reads the five bytes before each message (eight of a startup packet) and skips the
// rest by count, so no statement, parameter, row or password is ever kept.
//
// Constant memory, and no allocation beside the histogram's.
//
// Threads: FromClient and FromServer from one thread, everything const from any.

#ifndef TARE_PROXY_POSTGRES_OBSERVER_H_
#define TARE_PROXY_POSTGRES_OBSERVER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "proxy/counter.h"
#include "proxy/histogram.h"
#include "proxy/postgres_pending.h"
#include "tare/v1/proxy.pb.h"

namespace tare::proxy {

class PostgresObserver {
 public:
  // A longer startup packet is not PostgreSQL's; the server's own limit.
  static constexpr uint32_t kStartupBytesMax = 10'000;
  // A longer message ends the observation; the server's own limit.
  static constexpr uint32_t kMessageBytesMax = 1u << 30;
  // More unanswered requests end the observation.
  static constexpr int32_t kPendingMax = 1 << 16;

  // What was read from the client, or from the server, at `now_ns` (CLOCK_MONOTONIC): in the order
  // of reading, cut anywhere. A message counts when its last byte was read.
  void FromClient(absl::string_view bytes, int64_t now_ns);
  void FromServer(absl::string_view bytes, int64_t now_ns);

  // Whether the connection began as PostgreSQL's do. True for TLS from the first byte too, which
  // may hide PostgreSQL. False until enough was read to tell.
  bool is_postgres() const { return is_postgres_.load(std::memory_order_acquire); }

  // Why the observation ended, in words; empty while it goes on.
  std::string WhyStopped() const;

  int64_t round_trips() const { return round_trips_.value(); }

  // All counts, and why it stopped.
  v1::PostgresTraffic Snapshot() const;

 private:
  enum class Phase : uint8_t { kStartup, kTlsAnswer, kGssAnswer, kMessages };
  enum class Side : uint8_t { kClient, kServer };
  enum class Reason : uint8_t {
    kNone,
    kNotPostgres,
    kTls,
    kGss,
    kCancel,
    kClientDidNotWait,
    kUnknownAnswer,
    kServerSpokeFirst,
    kUnknownMessage,
    kOthersMessage,
    kLength,
    kReadyUnasked,
    kPending,
  };

  static constexpr size_t kHeaderBytes = 5;         // type, length
  static constexpr size_t kStartupHeaderBytes = 8;  // length, version or request

  // How far one side's bytes were read: first the header, then as many bytes as it says.
  struct Stream {
    uint64_t header = 0;  // the latest eight bytes of headers, the last one lowest
    uint8_t header_bytes = 0;
    uint32_t body_bytes_left = 0;

    bool TakeHeader(size_t wanted, absl::string_view& bytes);
    bool TakeBody(absl::string_view& bytes);
    char Type() const { return static_cast<char>(header >> 32); }
    uint32_t Length() const { return static_cast<uint32_t>(header); }
    uint32_t BodyBytes() const { return Length() - 4; }
  };

  bool is_observing() const { return reason_.load(std::memory_order_relaxed) == Reason::kNone; }
  void Stop(Reason reason);
  void Stop(Reason reason, Side side, char byte, uint32_t length);

  void TakeStartup(absl::string_view& bytes);
  void TakeAnswer(char answer);
  // Returns whether a message is complete; its header is still in `stream`.
  bool TakeMessage(Side side, Stream& stream, absl::string_view& bytes);
  void OnClientMessage(int64_t now_ns);
  void OnServerMessage(int64_t now_ns);
  void OnRequest(int64_t now_ns, bool is_sync);
  void OnCopyIn();
  void OnReady(int64_t now_ns);

  Counter queries_;
  Counter executes_;
  Counter syncs_;
  Counter round_trips_;
  Counter copy_bytes_in_;
  Counter copy_bytes_out_;
  Counter errors_;
  Histogram server_time_;
  PostgresPending pending_;
  Stream client_;
  Stream server_;
  Phase phase_ = Phase::kStartup;
  bool is_starting_ = true;  // the startup's ReadyForQuery is to come
  bool is_newest_sync_ = false;
  bool is_copying_in_ = false;   // the server reads a copy, which the client has not ended
  bool has_ended_copy_ = false;  // by the client, since its last Query or Execute
  std::atomic<bool> is_postgres_ = false;
  std::atomic<Reason> reason_ = Reason::kNone;
  // What the reason speaks of; written before it, once.
  Side reason_side_ = Side::kClient;
  char reason_byte_ = 0;
  uint32_t reason_length_ = 0;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_POSTGRES_OBSERVER_H_
