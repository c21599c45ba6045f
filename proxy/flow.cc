#include "proxy/flow.h"

#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace tare::proxy {
namespace {

// While the receiver takes nothing, so much more is read: enough to keep it busy when it goes on,
// and little enough that a slow receiver is felt by the sender.
constexpr int64_t kBlockedReadMax = 1 << 20;
// Of a block, so that what is held takes at most twice its size in memory.
constexpr size_t kAdoptedBytesMin = BlockPool::kLargeBytes / 2;
// With a bandwidth limit: a piece takes about this long, and so much may wait for the line.
constexpr int64_t kLinePiecesPerSecond = 1000;
constexpr int64_t kLineBytesMin = 1 << 10;
constexpr int64_t kLineQueueNs = 50'000'000;
constexpr int64_t kSecondNs = 1'000'000'000;

}  // namespace

int64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecondNs + now.tv_nsec;
}

Flow::Flow(const Profile* profile, bool is_delayed, uint64_t seed, const FlowLimits& limits,
           BlockPool* pool, DirectionTraffic* traffic)
    : delay_(profile, is_delayed, seed),
      bytes_per_second_(profile->asked.bytes_per_second()),
      held_bytes_max_(limits.held_bytes_max),
      traffic_(traffic),
      pool_(pool),
      held_(pool),
      quota_bytes_(limits.quota_bytes) {}

bool Flow::wants_read() const {
  if (has_source_ended_ || end_ != End::kOpen) return false;
  if (held_.bytes_count() >= held_bytes_max_) return false;
  if (is_blocked_ && held_.bytes_count() > held_when_blocked_ + kBlockedReadMax) return false;
  return bytes_per_second_ == 0 || held_.empty() ||
         last_due_ns_ - active_ns_ - asked_ns_ < kLineQueueNs;
}

size_t Flow::read_size_max(size_t buffer_size) const {
  if (bytes_per_second_ == 0) return buffer_size;
  const int64_t piece = std::max(bytes_per_second_ / kLinePiecesPerSecond, kLineBytesMin);
  return std::min(buffer_size, static_cast<size_t>(piece));
}

int64_t Flow::next_due_ns() const {
  if (held_.empty() || is_blocked_ || is_exhausted()) return kNeverNs;
  return held_.head().due_ns;
}

absl::string_view Flow::Read(int source, BlockPool::Block& block) {
  char* const bytes = block.bytes.get();
  const ssize_t count = recv(source, bytes, read_size_max(block.capacity), 0);
  if (count > 0) return {bytes, static_cast<size_t>(count)};
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  EndSource(count == 0 && !is_source_doubted_ ? Piece::Kind::kEnd : Piece::Kind::kReset);
  return {};
}

void Flow::BeginTurn() { asked_ns_ = delay_.Draw(); }

// The line sends one byte after the other; a piece has arrived when its last byte has.
int64_t Flow::DueNs(int64_t size, int64_t read_ns) {
  last_due_ns_ = std::max(last_due_ns_, read_ns + asked_ns_);
  if (bytes_per_second_ > 0) {
    last_due_ns_ += static_cast<int64_t>(static_cast<double>(size) * kSecondNs /
                                         static_cast<double>(bytes_per_second_));
  }
  return last_due_ns_;
}

void Flow::Take(absl::string_view bytes, int64_t read_ns, int sink, BlockPool::Block* block) {
  active_ns_ = read_ns;
  const int64_t due_ns = DueNs(static_cast<int64_t>(bytes.size()), read_ns);
  int64_t written = 0;
  if (due_ns <= read_ns && held_.empty() && end_ == End::kOpen) {
    const int64_t now_ns = NowNs();
    written = Write(sink, bytes);
    if (written == static_cast<int64_t>(bytes.size())) {
      traffic_->AddRelease(asked_ns_, read_ns, due_ns, now_ns);
      return;
    }
  }
  bytes.remove_prefix(static_cast<size_t>(written));
  if (end_ == End::kBroken) {
    traffic_->bytes_undelivered.Add(static_cast<int64_t>(bytes.size()));
    return;
  }
  Hold(Piece::Kind::kData, bytes, read_ns, due_ns, block);
}

void Flow::Hold(Piece::Kind kind, absl::string_view bytes, int64_t read_ns, int64_t due_ns,
                BlockPool::Block* block) {
  const Piece piece = {kind, static_cast<int64_t>(bytes.size()), read_ns, asked_ns_, due_ns};
  if (block != nullptr && bytes.size() >= kAdoptedBytesMin) {
    block->begin = static_cast<size_t>(bytes.data() - block->bytes.get());
    block->end = block->begin + bytes.size();
    held_.Adopt(piece, std::exchange(*block, pool_->Take(BlockPool::kLargeBytes)));
  } else {
    held_.Add(piece, bytes);
  }
  traffic_->queue_bytes_max.SetMax(held_.bytes_count());
  const bool is_bound_reached = held_.bytes_count() >= held_bytes_max_;
  if (is_bound_reached && !was_bound_reached_) traffic_->bound_reached.Add(1);
  was_bound_reached_ = is_bound_reached;
}

void Flow::EndSource(Piece::Kind kind) {
  if (has_source_ended_) return;
  has_source_ended_ = true;
  if (end_ != End::kOpen) return;
  active_ns_ = NowNs();
  Hold(kind, "", active_ns_, DueNs(0, active_ns_));
}

void Flow::Release(int sink, int64_t now_ns) {
  is_blocked_ = false;
  while (!held_.empty() && held_.head().due_ns <= now_ns && end_ == End::kOpen) {
    const Piece& head = held_.head();
    if (head.kind == Piece::Kind::kData) {
      const absl::string_view due = held_.DueBytes(now_ns);
      const int64_t handed_on_ns = NowNs();
      active_ns_ = handed_on_ns;
      const int64_t written = Write(sink, due);
      if (end_ == End::kBroken) return;
      held_.Consume(written, [&](const Piece& piece) {
        traffic_->AddRelease(piece.asked_ns, piece.read_ns, piece.due_ns, handed_on_ns);
      });
      if (written < static_cast<int64_t>(due.size())) return;
      continue;
    }
    end_ = head.kind == Piece::Kind::kEnd ? End::kClosed : End::kReset;
    held_.PopMark();
    if (end_ == End::kClosed) shutdown(sink, SHUT_WR);
  }
  was_bound_reached_ = was_bound_reached_ && held_.bytes_count() >= held_bytes_max_;
}

int64_t Flow::Write(int sink, absl::string_view bytes) {
  if (quota_bytes_ >= 0) bytes = bytes.substr(0, static_cast<size_t>(quota_bytes_));
  if (bytes.empty()) return 0;
  const ssize_t count = send(sink, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  if (count < 0 && errno != EAGAIN && errno != EINTR) {
    BreakSink();
    return 0;
  }
  const int64_t written = std::max<int64_t>(count, 0);
  traffic_->bytes.Add(written);
  if (quota_bytes_ >= 0) quota_bytes_ -= written;
  if (written < static_cast<int64_t>(bytes.size())) {
    is_blocked_ = true;
    held_when_blocked_ = held_.bytes_count();
  }
  return written;
}

void Flow::BreakSource() { EndSource(Piece::Kind::kReset); }

void Flow::BreakSink() {
  if (end_ != End::kOpen) return;
  end_ = End::kBroken;
  is_blocked_ = false;
  traffic_->bytes_undelivered.Add(held_.bytes_count());
  held_.Clear();
}

void Flow::StopReading() {
  if (!has_source_ended_) EndSource(Piece::Kind::kEnd);
}

}  // namespace tare::proxy
