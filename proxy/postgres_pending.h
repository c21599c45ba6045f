// When the requests were read that the server has not answered yet, oldest first, in little memory.
//
// A pipeline's requests mostly arrive together, so times are kept per read. When requests of more
// than kReadsMax reads wait, the later ones are counted without a time.
//
// Not thread-safe.

#ifndef TARE_PROXY_POSTGRES_PENDING_H_
#define TARE_PROXY_POSTGRES_PENDING_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tare::proxy {

class PostgresPending {
 public:
  static constexpr size_t kReadsMax = 8;

  // Requests that wait, with and without a time.
  int32_t size() const { return size_; }

  // Requires: size() is below 2^31 - 1.
  void Push(int64_t now_ns) {
    ++size_;
    if (timed_reads_ > 0 && untimed_ == 0 && Newest().at_ns == now_ns) {
      ++Newest().requests;
    } else if (timed_reads_ < kReadsMax && untimed_ == 0) {
      ++timed_reads_;
      Newest() = {.at_ns = now_ns, .requests = 1};
    } else {
      ++untimed_;
    }
  }

  // Takes the oldest and returns its time when that was kept. Requires: size() > 0.
  std::optional<int64_t> Pop() {
    --size_;
    if (timed_reads_ == 0) {
      --untimed_;
      return std::nullopt;
    }
    Read& read = reads_[oldest_];
    if (--read.requests == 0) {
      oldest_ = (oldest_ + 1) % kReadsMax;
      --timed_reads_;
    }
    return read.at_ns;
  }

  // Takes back the latest Push. Requires: size() > 0.
  void DropNewest() {
    --size_;
    if (untimed_ > 0) {
      --untimed_;
    } else if (--Newest().requests == 0) {
      --timed_reads_;
    }
  }

 private:
  struct Read {
    int64_t at_ns = 0;
    int32_t requests = 0;
  };

  Read& Newest() { return reads_[(oldest_ + timed_reads_ - 1) % kReadsMax]; }

  std::array<Read, kReadsMax> reads_;  // a ring
  uint32_t oldest_ = 0;
  uint32_t timed_reads_ = 0;
  int32_t untimed_ = 0;  // all of them are younger than those in the ring
  int32_t size_ = 0;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_POSTGRES_PENDING_H_
