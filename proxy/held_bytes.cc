#include "proxy/held_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tare::proxy {

BlockPool::Block BlockPool::Take(size_t capacity) {
  auto& spare = capacity == kSmallBytes ? small_ : large_;
  Block block;
  block.capacity = capacity;
  if (spare.empty()) {
    block.bytes.reset(new char[capacity]);
  } else {
    block.bytes = std::move(spare.back());
    spare.pop_back();
  }
  return block;
}

void BlockPool::Return(Block block) {
  auto& spare = block.capacity == kSmallBytes ? small_ : large_;
  if (spare.size() < kSpareMax) spare.push_back(std::move(block.bytes));
}

void HeldBytes::Add(Piece piece, absl::string_view bytes) {
  pieces_.push_back(piece);
  bytes_count_ += static_cast<int64_t>(bytes.size());
  while (!bytes.empty()) {
    if (blocks_.empty() || blocks_.back().end == blocks_.back().capacity) {
      const bool is_small = blocks_.empty() && bytes.size() <= BlockPool::kSmallBytes;
      blocks_.push_back(pool_->Take(is_small ? BlockPool::kSmallBytes : BlockPool::kLargeBytes));
    }
    BlockPool::Block& block = blocks_.back();
    const size_t count = std::min(bytes.size(), block.capacity - block.end);
    std::memcpy(block.bytes.get() + block.end, bytes.data(), count);
    block.end += count;
    bytes.remove_prefix(count);
  }
}

void HeldBytes::Adopt(Piece piece, BlockPool::Block block) {
  pieces_.push_back(piece);
  bytes_count_ += static_cast<int64_t>(block.end - block.begin);
  blocks_.push_back(std::move(block));
}

absl::string_view HeldBytes::DueBytes(int64_t now_ns) const {
  if (blocks_.empty()) return {};
  const BlockPool::Block& block = blocks_.front();
  const size_t together = block.end - block.begin;
  size_t due = 0;
  for (const Piece& piece : pieces_) {
    if (due >= together || piece.kind != Piece::Kind::kData || piece.due_ns > now_ns) break;
    due += static_cast<size_t>(piece.size);
  }
  return {block.bytes.get() + block.begin, std::min(due, together)};
}

void HeldBytes::DropBytes(int64_t count) {
  bytes_count_ -= count;
  if (blocks_.empty()) return;
  BlockPool::Block& block = blocks_.front();
  block.begin += static_cast<size_t>(count);
  if (block.begin < block.end) return;
  pool_->Return(std::move(block));
  blocks_.pop_front();
}

void HeldBytes::Clear() {
  for (BlockPool::Block& block : blocks_) pool_->Return(std::move(block));
  blocks_.clear();
  pieces_.clear();
  bytes_count_ = 0;
}

}  // namespace tare::proxy
