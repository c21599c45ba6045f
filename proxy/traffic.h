// What went through: counters and distributions that the relay's thread writes and any thread may
// read at any moment.

#ifndef TARE_PROXY_TRAFFIC_H_
#define TARE_PROXY_TRAFFIC_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "proxy/counter.h"
#include "proxy/histogram.h"
#include "proxy/postgres_observer.h"
#include "tare/v1/proxy.pb.h"

namespace tare::proxy {

// Every delay of one direction of one connection, with record: full. One writer, any readers.
class DelayRecording {
 public:
  // Of a proxy, all connections and both directions together. The rest is counted, not kept: memory
  // and answers stay bounded.
  static constexpr size_t kDelaysMax = 1 << 18;

  // `budget`: how many more the proxy may keep; the writer's.
  explicit DelayRecording(size_t* budget) : budget_(budget) {}

  void Add(int64_t asked_ns, int64_t applied_ns);
  void CopyTo(v1::ProxyDirection* direction) const;

 private:
  static constexpr size_t kPageDelays = 4096;
  struct Delay {
    int64_t asked_ns;
    int64_t applied_ns;
  };
  using Page = std::array<Delay, kPageDelays>;

  size_t* const budget_;
  std::array<std::unique_ptr<Page>, kDelaysMax / kPageDelays> pages_;
  std::atomic<size_t> kept_ = 0;  // published after the delay is written
  Counter left_out_;
};

struct DirectionTraffic {
  Counter bytes;
  Counter bytes_undelivered;
  Counter queue_bytes_max;
  Counter bound_reached;
  Histogram asked;
  Histogram late;
  Histogram ordered;
  std::unique_ptr<DelayRecording> recording;  // set before the first byte, or never

  // A piece was handed on: drawn, due after ordering, read and written, all in nanoseconds.
  void AddRelease(int64_t asked_ns, int64_t read_ns, int64_t due_ns, int64_t handed_on_ns);
};

struct Traffic {
  Counter turns;
  Counter client_writes;
  DirectionTraffic to_server;
  DirectionTraffic to_client;
  PostgresObserver postgres;

  v1::ProxyTraffic Snapshot() const;
};

// Adds `more` to `sum`: counts and buckets, then quantiles anew. Recorded delays are not joined.
void AddTraffic(const v1::ProxyTraffic& more, v1::ProxyTraffic* sum);

}  // namespace tare::proxy

#endif  // TARE_PROXY_TRAFFIC_H_
