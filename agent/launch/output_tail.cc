#include "agent/launch/output_tail.h"

#include <algorithm>

namespace tare::agent {

void OutputTail::Append(const char* bytes, size_t count) {
  const size_t skipped_count = count - std::min(count, ring_.size());
  for (size_t i = skipped_count; i < count; ++i) {
    ring_[(appended_count_ + i) % ring_.size()] = bytes[i];
  }
  appended_count_ += count;
}

std::string OutputTail::Text() const {
  const size_t end = appended_count_ % ring_.size();
  if (appended_count_ <= ring_.size()) return std::string(ring_.data(), appended_count_);
  std::string text(ring_.data() + end, ring_.size() - end);
  text.append(ring_.data(), end);
  return text;
}

}  // namespace tare::agent
