// The control socket: counters, evidence and the profile of a running proxy.
//
// A unix socket that only our own user and root may use. One JSON object a line, one line back:
//
//   {"counters":{}}              {"counters":{"turns":3,…}}          ProxyCounters
//   {"evidence":{}}              {"evidence":{"listen":"…",…}}       ProxyEvidence
//   {"profile":{"delay":"1ms"}}  {"profile":{"now":"fixed 1ms to-client"}}
//   anything else                {"error":{"message":"…"}}
//
// A profile holds for every connection that is accepted after its answer. Served by a thread of its
// own that reads what the relay counts and never makes it wait.

#ifndef TARE_PROXY_CONTROL_H_
#define TARE_PROXY_CONTROL_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "proxy/relay.h"

namespace tare::proxy {

// All that is known of a relay. `to` and `started_ns` (CLOCK_MONOTONIC) as given to Control.
v1::ProxyEvidence CollectEvidence(Relay& relay, const std::string& to, int64_t started_ns);

class Control {
 public:
  virtual ~Control() = default;  // ends the thread

  // `address`: unix:/path or unix-abstract:name; empty: no socket, the thread only keeps the books
  // tidy. `relay` must outlive it. Errors: AlreadyExists, PermissionDenied, InvalidArgument.
  static absl::StatusOr<std::unique_ptr<Control>> Start(const std::string& address, Relay* relay,
                                                        const std::string& to);
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_CONTROL_H_
