// The relay: accepts clients, connects each to the server, and moves bytes both ways with the delay
// that the profile asks for.
//
// One thread does all of it, waiting on a timer until shortly before something is due and polling
// from there, so that other connections are served in time while it waits. Bytes are never changed,
// split, joined or dropped on purpose: only their timing is.
//
// Threads: Run() belongs to one; SetProfile() and ledger()'s reading half may be used by any.

#ifndef TARE_PROXY_RELAY_H_
#define TARE_PROXY_RELAY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proxy/address.h"
#include "proxy/connection.h"
#include "proxy/delay.h"
#include "proxy/ledger.h"

namespace tare::proxy {

struct RelayOptions {
  Address listen;
  Address server;
  std::shared_ptr<const Profile> profile;
  ConnectionLimits limits;
  Faults faults;
  // Before a release is due the relay polls for so long instead of sleeping; 0: it trusts the
  // timer. After a long sleep up to twice as long, since a core that slept wakes late.
  absl::Duration polling = absl::Microseconds(50);
  // After a stop: until what is held has been handed on.
  absl::Duration drain = absl::Seconds(2);
  // Governs every draw, by connection and direction.
  uint64_t seed = 0;
  // Readable when the relay is to stop.
  int stop_fd = -1;
};

class Relay {
 public:
  virtual ~Relay() = default;

  // Returns when it listens. Errors: those of Address::Listen.
  static absl::StatusOr<std::unique_ptr<Relay>> Start(const RelayOptions& options);

  // Where it listens, with the port that it got.
  virtual const std::string& listening_on() const = 0;

  // For connections accepted from now on.
  virtual void SetProfile(std::shared_ptr<const Profile> profile) = 0;
  virtual std::shared_ptr<const Profile> profile() = 0;

  virtual Ledger& ledger() = 0;

  // Relays until stop_fd is readable, then accepts nobody, hands on what is held, closes all
  // connections and returns.
  virtual void Run() = 0;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_RELAY_H_
