// When connections want to be woken, the earliest first.
//
// An entry cannot be taken back: a connection that changed its mind finds out when it is woken, and
// the handle of one that is gone finds nobody.
// Not thread-safe.

#ifndef TARE_PROXY_TIMERS_H_
#define TARE_PROXY_TIMERS_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "proxy/flow.h"

namespace tare::proxy {

// What a connection is woken for.
enum class Wake : uint8_t { kToServer, kToClient, kWatch };

class Timers {
 public:
  struct Entry {
    int64_t at_ns = 0;  // CLOCK_MONOTONIC
    uint64_t handle = 0;
    Wake wake = Wake::kWatch;
  };

  void Add(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), IsLater);
  }

  // kNeverNs when there is none.
  int64_t next_ns() const { return heap_.empty() ? kNeverNs : heap_.front().at_ns; }

  // The earliest that is due by `now_ns`, taken out.
  std::optional<Entry> TakeDue(int64_t now_ns) {
    if (next_ns() > now_ns) return std::nullopt;
    std::pop_heap(heap_.begin(), heap_.end(), IsLater);
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
  }

 private:
  static bool IsLater(const Entry& a, const Entry& b) { return a.at_ns > b.at_ns; }

  std::vector<Entry> heap_;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_TIMERS_H_
