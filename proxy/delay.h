// How long bytes are held back: the profile that a connection keeps from accept to close, and the
// draws that it makes.
//
//   fixed     delay
//   uniform   delay ± spread
//   normal    mean delay, standard deviation spread; draws below 0 count as 0
//   pareto    mean delay, standard deviation spread: shape a = 1 + √(1 + (delay/spread)²), scale
//             delay·(a − 1)/a, from mean a·scale/(a − 1) and deviation mean/√(a(a − 2))
//   trace     the values of a file in order, from a drawn beginning, over and over

#ifndef TARE_PROXY_DELAY_H_
#define TARE_PROXY_DELAY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/random.h"
#include "tare/v1/experiment.pb.h"

namespace tare::proxy {

// The longest delay; longer draws count as this.
inline constexpr int64_t kDelayMaxNs = 60'000'000'000;
// The narrowest line, in bytes per second.
inline constexpr int64_t kBandwidthMin = 1000;
// The most values of a trace file.
inline constexpr size_t kTraceValuesMax = 10'000'000;

// Immutable, so any thread may read it.
struct Profile {
  v1::Proxy asked;  // all fields set; `to` empty
  std::vector<int64_t> trace;
  std::string words;  // "fixed 1ms to-client", "no delay"

  bool DelaysToServer() const { return asked.direction() != v1::DIRECTION_TO_CLIENT; }
  bool DelaysToClient() const { return asked.direction() != v1::DIRECTION_TO_SERVER; }
};

// Fills in defaults, reads the trace file and checks that law and numbers fit. InvalidArgument for
// those, NotFound for the file.
absl::StatusOr<std::shared_ptr<const Profile>> MakeProfile(v1::Proxy asked);

// The draws of one direction of one connection. Not thread-safe.
class DelaySource {
 public:
  // `is_on` false: this direction is not delayed. `profile` must outlive it.
  DelaySource(const Profile* profile, bool is_on, uint64_t seed);

  // In nanoseconds, 0 to kDelayMaxNs.
  int64_t Draw();

 private:
  const Profile* profile_;
  bool is_on_;
  double pareto_exponent_ = 0;  // −1 / shape
  double pareto_scale_ns_ = 0;
  size_t trace_next_ = 0;
  Random random_;
};

}  // namespace tare::proxy

#endif  // TARE_PROXY_DELAY_H_
