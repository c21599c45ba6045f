// A number that one thread counts up while others read it.
//
// Adding costs as much as for a plain integer: no locked instruction, for there is one writer.
// Where several threads write, use std::atomic itself.
//
// Threads: one writer, any number of readers. A reader that sees a value also sees whatever the
// writer counted elsewhere before it.

#ifndef TARE_PROXY_COUNTER_H_
#define TARE_PROXY_COUNTER_H_

#include <atomic>
#include <cstdint>

namespace tare::proxy {

class Counter {
 public:
  void Add(int64_t amount) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_release);
  }

  // Keeps the larger of the value and `value`.
  void SetMax(int64_t value) {
    if (value > value_.load(std::memory_order_relaxed)) {
      value_.store(value, std::memory_order_release);
    }
  }

  int64_t value() const { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<int64_t> value_ = 0;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_COUNTER_H_
