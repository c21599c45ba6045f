// Bytes of one direction that were read and are not handed on yet, in order, with the time at which
// they may be.
//
// Memory follows what is held: nothing when empty. Not thread-safe.

#ifndef TARE_PROXY_HELD_BYTES_H_
#define TARE_PROXY_HELD_BYTES_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare::proxy {

// What was read at once, or the end of the stream.
struct Piece {
  enum class Kind : uint8_t { kData, kEnd, kReset };
  Kind kind = Kind::kData;
  int64_t size = 0;      // bytes; of a head, those that are left
  int64_t read_ns = 0;   // CLOCK_MONOTONIC
  int64_t asked_ns = 0;  // what the law drew
  int64_t due_ns = 0;    // not earlier than this
};

// Storage for held bytes, used again rather than freed. One for all connections of a thread.
class BlockPool {
 public:
  static constexpr size_t kSmallBytes = 4 << 10;
  static constexpr size_t kLargeBytes = 128 << 10;

  struct Block {
    std::unique_ptr<char[]> bytes;
    size_t capacity = 0;
    size_t begin = 0;  // first byte not handed on
    size_t end = 0;    // behind the last byte
  };

  Block Take(size_t capacity);
  void Return(Block block);

 private:
  static constexpr size_t kSpareMax = 64;  // of each size

  std::vector<std::unique_ptr<char[]>> small_;
  std::vector<std::unique_ptr<char[]>> large_;
};

class HeldBytes {
 public:
  explicit HeldBytes(BlockPool* pool) : pool_(pool) {}
  ~HeldBytes() { Clear(); }
  HeldBytes(const HeldBytes&) = delete;
  HeldBytes& operator=(const HeldBytes&) = delete;

  // `piece.due_ns` is not before that of the piece added last. `bytes` is empty but for kData.
  void Add(Piece piece, absl::string_view bytes);
  // The same for what lies between `block.begin` and `block.end`, without a copy. The block is one
  // of the pool's.
  void Adopt(Piece piece, BlockPool::Block block);

  bool empty() const { return pieces_.empty(); }
  int64_t bytes_count() const { return bytes_count_; }
  // Requires: not empty.
  const Piece& head() const { return pieces_.front(); }

  // The longest run of data at the head that lies together in memory and is due by `now_ns`; empty
  // when the head is not data or not due.
  absl::string_view DueBytes(int64_t now_ns) const;

  // Takes `count` bytes away; calls done(piece) for each piece that is thereby complete. Requires:
  // no more than DueBytes gave.
  template <typename Done>
  void Consume(int64_t count, Done done) {
    DropBytes(count);
    while (count > 0) {
      Piece& piece = pieces_.front();
      const int64_t taken = count < piece.size ? count : piece.size;
      piece.size -= taken;
      count -= taken;
      if (piece.size > 0) return;
      done(piece);
      pieces_.pop_front();
    }
  }

  // Takes away the head. Requires: it is no data.
  void PopMark() { pieces_.pop_front(); }

  // Forgets everything.
  void Clear();

 private:
  void DropBytes(int64_t count);

  BlockPool* const pool_;
  std::deque<Piece> pieces_;
  std::deque<BlockPool::Block> blocks_;
  int64_t bytes_count_ = 0;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_HELD_BYTES_H_
