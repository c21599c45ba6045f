// The delay of a proxy as a factor of `sweep`, under the name SERVICE.delay.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_PROXY_DELAY_H_
#define TARE_COORDINATOR_EXPERIMENT_PROXY_DELAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// The proxy whose delay the factor of this name varies; null when it varies a setting.
const v1::Service* FindDelayedProxy(const v1::Experiment& experiment, const std::string& factor);

// The names that factors may have to vary a proxy's delay.
std::vector<std::string> DelayFactorNames(const v1::Experiment& experiment);

// A level of such a factor in nanoseconds: text with a unit, or a plain 0. InvalidArgument when it
// is no duration, or one that the proxy's `delay` may not have, with what is accepted.
absl::StatusOr<int64_t> DelayLevelNs(const v1::ConfigValue& level);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_PROXY_DELAY_H_
