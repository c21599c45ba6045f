// Sends the requests of a trial, each at its time, and sees what becomes of them.
//
// One thread and one epoll. An open loop takes a request up at its intended time, whatever the
// replies do; it is sent at once when a connection is idle, and else as soon as one is, in order.
// Connections are opened when requests wait for them, up to a maximum, and kept alive; nothing is
// pipelined. A closed loop has a fixed number of connections, and each sends when its last reply
// has come.
//
// A request fails by a status other than 2xx, by a connection that is refused or breaks, and when
// it has no complete reply `timeout` after it was taken up. Nothing is sent twice.
//
// Not thread-safe. Between the first send and the last reply nothing is allocated.

#ifndef TARE_WORKLOADS_LOAD_GENERATOR_H_
#define TARE_WORKLOADS_LOAD_GENERATOR_H_

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/unique_fd.h"
#include "workloads/load/connection.h"
#include "workloads/load/outcome.h"
#include "workloads/load/requests.h"
#include "workloads/load/settings.h"

namespace tare::load {

class Generator {
 public:
  // All are borrowed. `times` has the intended times of an open loop, one a request.
  Generator(const Settings* settings, const Requests* requests, const SendTimes* times);

  // Sends the first `count` requests; returns when all have ended. Called once.
  std::optional<sdk::Error> Run(size_t count);

  const std::vector<Outcome>& outcomes() const { return outcomes_; }
  int64_t connections_opened() const { return opened_; }

 private:
  enum class State { kClosed, kConnecting, kIdle, kBusy };
  struct Slot {
    Connection connection;
    State state = State::kClosed;
    uint32_t uses = 0;  // tells events of an earlier connection apart
    size_t request = 0;
  };
  using SlotIndex = uint32_t;

  int64_t NowNs() const;
  // Takes up what is due, and sends it when it can.
  void TakeDue();
  bool IsDue(int64_t now_ns) const;
  // Sends waiting requests while there are connections, and opens more for the rest.
  void Dispatch();
  void Send(SlotIndex index, size_t request, int64_t now_ns);
  void Open(SlotIndex index);
  void Watch(SlotIndex index, int operation, uint32_t events);
  void Close(SlotIndex index);
  // Waits for events, or for what is due next.
  int Wait();
  int64_t NextNs() const;
  void Handle(const epoll_event& event);
  void HandleConnecting(SlotIndex index);
  void HandleBusy(SlotIndex index, uint32_t events);
  void FailConnecting(const Connection& connection);
  void End(size_t request, Failure failure, const char* what, int code, int64_t now_ns);
  void Expire(int64_t now_ns);

  const Settings& settings_;
  const Requests& requests_;
  const SendTimes& times_;
  UniqueFd epoll_;
  int64_t start_ns_ = 0;
  std::vector<Outcome> outcomes_;
  std::vector<Slot> slots_;
  std::vector<SlotIndex> idle_;  // the one used last at the back
  std::vector<SlotIndex> free_;  // closed ones
  size_t connecting_ = 0;
  // Requests [0, oldest_) have ended, [next_, taken_) wait for a connection, and those from taken_
  // on are still to come.
  size_t oldest_ = 0;
  size_t next_ = 0;
  size_t taken_ = 0;
  size_t ended_ = 0;
  size_t count_ = 0;
  int64_t opened_ = 0;
  std::array<epoll_event, 64> events_ = {};
};

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_GENERATOR_H_
