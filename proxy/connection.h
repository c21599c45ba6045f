// One client with its connection to the server: two sockets and a flow each way.
//
// Lives in the relay's thread. A socket is in the epoll set only while something is wanted of it,
// so a peer that hung up wakes nobody for ever.

#ifndef TARE_PROXY_CONNECTION_H_
#define TARE_PROXY_CONNECTION_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "base/unique_fd.h"
#include "proxy/address.h"
#include "proxy/flow.h"
#include "proxy/held_bytes.h"
#include "proxy/ledger.h"
#include "proxy/timers.h"

namespace tare::proxy {

// Misbehaviour on request, to test the programs on either side.
struct Faults {
  bool refuses = false;            // resets every client at once
  int64_t reset_after_bytes = -1;  // to the client; below 0: never
  int64_t stall_after_bytes = -1;  // the same, then silence
  absl::Duration accept_delay = absl::ZeroDuration();
};

struct ConnectionLimits {
  int64_t held_bytes_max = int64_t{256} << 20;
  absl::Duration dial_timeout = absl::Seconds(5);
  // Of a connection that one side has closed and on which nothing moves.
  absl::Duration half_close_timeout = absl::Minutes(5);
};

// What all connections of a relay share.
struct RelayContext {
  int epoll = -1;
  Timers timers;   // releases
  Timers watches;  // whatever may come a little late
  BlockPool pool;
  Ledger ledger;
  BlockPool::Block block;  // for one read
  Address server;
  ConnectionLimits limits;
  Faults faults;
};

class Connection {
 public:
  enum class Side : uint8_t { kClient = 0, kServer = 1 };

  // Takes over a client that was accepted, and dials. `context` must outlive it. `handle` names it
  // in timers and, plus the side, in epoll events; its lowest bit is 0.
  Connection(UniqueFd client, std::shared_ptr<ConnectionRecord> record, uint64_t handle,
             uint64_t seed, RelayContext* context);

  void OnEvents(Side side, uint32_t events);
  void OnWake(const Timers::Entry& entry, int64_t now_ns);

  // Reads what has come, hands on what is held, then closes both sides.
  void Drain();
  // Closes now; what is held is lost.
  void Abort(const std::string& cause);

  bool is_closed() const { return state_ == State::kClosed; }

 private:
  enum class State : uint8_t { kWaiting, kDialling, kOpen, kResetting, kClosed };

  struct Socket {
    UniqueFd fd;
    uint32_t events = 0;  // in the epoll set for these; 0: not in it
  };

  Socket& socket(Side side) { return sockets_[static_cast<int>(side)]; }
  // The flow that reads from `side`, and the one that writes to it.
  Flow& FlowFrom(Side side) { return side == Side::kClient ? to_server_ : to_client_; }
  Flow& FlowTo(Side side) { return side == Side::kClient ? to_client_ : to_server_; }
  static Side Other(Side side) { return side == Side::kClient ? Side::kServer : Side::kClient; }

  void Dial();
  void FinishDial();
  // One read; true when bytes came.
  bool ReadFrom(Side side);
  void Observe(Side side, absl::string_view bytes, int64_t read_ns);
  // After anything happened: ends, interest, timers.
  void Settle();
  void SettleBrokenSink(Side side);
  bool SettleEnds();
  void BeginReset(Side side);
  void LookAtReset(int64_t now_ns);
  void Watch(int64_t now_ns);
  void SetEvents(Side side, uint32_t events);
  void Arm(Wake wake, int64_t at_ns);
  // `is_reset`: the sockets are reset rather than closed.
  void Close(bool is_reset);
  void SayCause(const std::string& cause) {
    if (cause_.empty()) cause_ = cause;
  }

  const uint64_t handle_;
  RelayContext* const context_;
  const std::shared_ptr<ConnectionRecord> record_;
  const int64_t accepted_ns_;
  State state_ = State::kWaiting;
  Socket sockets_[2];
  Flow to_server_;
  Flow to_client_;
  bool has_client_spoken_last_ = false;
  bool has_anyone_spoken_ = false;
  Side reset_side_ = Side::kClient;  // while resetting: whose bytes must leave first
  int unconfirmed_bytes_ = 0;        // at the last look
  int64_t give_up_ns_ = 0;           // dialling or resetting
  int64_t armed_ns_[3] = {kNeverNs, kNeverNs, kNeverNs};  // by Wake
  std::string cause_;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_CONNECTION_H_
