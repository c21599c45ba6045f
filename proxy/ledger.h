// The books of a proxy: a record of each connection, in full for the latest, summed up for the
// rest.
//
// Threads: the relay's thread opens and closes records and never waits for the reader: when the
// books are being looked at it notes the change down and enters it later. One other thread reads.

#ifndef TARE_PROXY_LEDGER_H_
#define TARE_PROXY_LEDGER_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "proxy/counter.h"
#include "proxy/delay.h"
#include "proxy/traffic.h"
#include "tare/v1/proxy.pb.h"

namespace tare::proxy {

// One connection. Written by the relay's thread; `client` to `profile` before it is entered.
struct ConnectionRecord {
  int64_t number = 0;
  std::string client;
  int64_t opened_unix_ns = 0;
  std::shared_ptr<const Profile> profile;
  std::atomic<int64_t> dial_ns = -1;  // −1: not connected
  Traffic traffic;
  // Written before is_closed.
  int64_t closed_unix_ns = 0;
  std::string cause;
  std::atomic<bool> is_closed = false;
};

class Ledger {
  using Records = std::deque<std::shared_ptr<ConnectionRecord>>;

 public:
  // Connections that keep a record of their own.
  static constexpr size_t kConnectionsKept = 256;

  // For the relay's thread.
  void Enter(std::shared_ptr<ConnectionRecord> record);
  // Enters what had to be noted down, when the books are free; cheap when there is nothing. False
  // when they were not: to be called again soon.
  bool Settle();
  void Close(ConnectionRecord& record, std::string cause);
  Counter accepted;
  Counter failed;
  Counter polling_ns;

  // For the reader. Fills in what the books know; listen, to, profile and times are the caller's.
  v1::ProxyEvidence Evidence();
  v1::ProxyCounters Counters();
  // Sums up what need not be kept. To be called now and then.
  void Tidy();

 private:
  Records CopyOfRecords();

  std::vector<std::shared_ptr<ConnectionRecord>> noted_;  // the relay's thread only
  // Held only to move pointers. The standard mutex, which ThreadSanitizer understands.
  std::mutex mutex_;
  std::deque<std::shared_ptr<ConnectionRecord>> records_;  // guarded by mutex_
  // The reader's.
  v1::ProxyTraffic summed_;
  int64_t summed_count_ = 0;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_LEDGER_H_
