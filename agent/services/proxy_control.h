// Asks a running tare-proxy what it counted, over its control socket.
//
// One connection a question, so nothing is held open while samples are taken. Every call is bounded
// in time and in bytes. Thread-safe.

#ifndef TARE_AGENT_SERVICES_PROXY_CONTROL_H_
#define TARE_AGENT_SERVICES_PROXY_CONTROL_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tare/v1/proxy.pb.h"

namespace tare::agent {

inline constexpr absl::Duration kProxyAnswerTimeMax = absl::Seconds(5);
inline constexpr size_t kProxyAnswerBytesMax = 64 << 20;

class ProxyControl {
 public:
  // `name` of its socket in the abstract name space.
  explicit ProxyControl(std::string name) : name_(std::move(name)) {}

  // Errors: Unavailable (nobody listens, or it hung up), DeadlineExceeded, ResourceExhausted (a
  // longer answer than kProxyAnswerBytesMax), DataLoss (something else than was asked).
  absl::StatusOr<v1::ProxyCounters> Counters() const;
  absl::StatusOr<v1::ProxyEvidence> Evidence() const;

 private:
  const std::string name_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_PROXY_CONTROL_H_
