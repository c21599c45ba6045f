// One direction of a connection: reads bytes from one socket, holds them for as long as the law
// says, writes them to the other.
//
//   due = max(due of the bytes before, time read + draw)
//
// with one draw a turn, so the delay does not depend on how the bytes were cut into writes. A
// bandwidth limit moves `due` further. The end of the stream is held like data. Knows nothing of
// epoll: its owner calls Read when the source is readable and Release when something is due or the
// sink is writable again. Not thread-safe.

#ifndef TARE_PROXY_FLOW_H_
#define TARE_PROXY_FLOW_H_

#include <cstdint>
#include <limits>

#include "absl/strings/string_view.h"
#include "proxy/delay.h"
#include "proxy/held_bytes.h"
#include "proxy/traffic.h"

namespace tare::proxy {

// CLOCK_MONOTONIC in nanoseconds.
int64_t NowNs();

inline constexpr int64_t kNeverNs = std::numeric_limits<int64_t>::max();

struct FlowLimits {
  // Bytes held before reading stops.
  int64_t held_bytes_max = int64_t{256} << 20;
  // For tests: hands on so many bytes and then no more; below 0: no limit.
  int64_t quota_bytes = -1;
};

class Flow {
 public:
  // How far the stream has come at the sink.
  enum class End {
    kOpen,
    kClosed,  // end of file was handed on
    kReset,   // all was handed on, and the source was reset
    kBroken,  // the sink takes no more
  };

  // `profile`, `pool` and `traffic` must outlive it.
  Flow(const Profile* profile, bool is_delayed, uint64_t seed, const FlowLimits& limits,
       BlockPool* pool, DirectionTraffic* traffic);

  // Reads once from `source` into `block`. The caller then says BeginTurn where a turn begins, and
  // Take. An end of the stream is taken at once.
  absl::string_view Read(int source, BlockPool::Block& block);
  void BeginTurn();
  // Hands `bytes`, read at `read_ns`, on at once when nothing holds them, else holds them. Where
  // they are much of the `block` that they lie in, that is kept and replaced by another one: better
  // than a copy.
  void Take(absl::string_view bytes, int64_t read_ns, int sink, BlockPool::Block* block = nullptr);

  // Hands on what is due.
  void Release(int sink, int64_t now_ns);

  // From now on an end of file from the source means that it was reset.
  void DoubtSource() { is_source_doubted_ = true; }
  // The source is gone: after what is held comes a reset instead of an end.
  void BreakSource();
  // The sink is gone: what is held is lost, and what comes is not read.
  void BreakSink();
  // Nothing more will be read; what is held is still handed on.
  void StopReading();

  End end() const { return end_; }
  bool has_source_ended() const { return has_source_ended_; }
  bool wants_read() const;
  bool wants_write() const { return is_blocked_; }
  // The quota is used up.
  bool is_exhausted() const { return quota_bytes_ == 0; }
  // When Release has something to do; kNeverNs while nothing is held or the sink must first be
  // writable.
  int64_t next_due_ns() const;
  // Of the last byte read or written, CLOCK_MONOTONIC; 0: none yet.
  int64_t active_ns() const { return active_ns_; }
  size_t read_size_max(size_t buffer_size) const;

 private:
  int64_t DueNs(int64_t size, int64_t read_ns);
  void Hold(Piece::Kind kind, absl::string_view bytes, int64_t read_ns, int64_t due_ns,
            BlockPool::Block* block = nullptr);
  void EndSource(Piece::Kind kind);
  // Returns the bytes that went, 0 when the sink is full or broken.
  int64_t Write(int sink, absl::string_view bytes);

  DelaySource delay_;
  const int64_t bytes_per_second_;
  const int64_t held_bytes_max_;
  DirectionTraffic* const traffic_;
  BlockPool* const pool_;
  HeldBytes held_;
  int64_t asked_ns_ = 0;  // this turn's draw
  int64_t last_due_ns_ = 0;
  int64_t active_ns_ = 0;
  int64_t quota_bytes_;
  int64_t held_when_blocked_ = 0;
  bool is_blocked_ = false;
  bool has_source_ended_ = false;
  bool is_source_doubted_ = false;
  bool was_bound_reached_ = false;
  End end_ = End::kOpen;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_FLOW_H_
