// The proxies of an experiment: who goes through them, and what they did in a trial.
//
// Pure functions; results point into what they were read from.

#ifndef TARE_COORDINATOR_ANALYSIS_PROXIES_H_
#define TARE_COORDINATOR_ANALYSIS_PROXIES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/rounds.h"

namespace tare::coordinator {

// In the experiment's order.
std::vector<const v1::Service*> ProxiesOf(const v1::Experiment& experiment);

// The factor that varies the proxy's delay: "wire.delay".
std::string DelayFactorOf(const v1::Service& proxy);

// Whether the setting is the delay of a proxy, which the workload does not know of.
bool IsProxyDelay(const v1::Experiment& experiment, absl::string_view setting);

// The delay asked in a cell, one way: the level of its factor, or what the experiment says.
// InvalidArgument when the level is no duration.
absl::StatusOr<int64_t> AskedDelayNs(const v1::Service& proxy, const v1::Cell& cell);

// How often a round trip meets the delay: twice when both directions have it.
int DelaysPerRoundTrip(const v1::Service& proxy);

// The service that the arm's operations go to: the first of those that it is to use. Empty: none.
std::string ServiceOf(const v1::Experiment& experiment, const v1::PlannedArm& arm);

// Null when the trial has no evidence of the proxy.
const v1::ProxyEvidence* ProxyEvidenceOf(const UsedTrial& trial, const v1::Service& proxy);

struct DelayedDirection {
  absl::string_view name;  // "to-client"
  const v1::ProxyDirection* traffic = nullptr;
};

// The directions in which the proxy holds bytes back, by the experiment.
std::vector<DelayedDirection> DelayedDirections(const v1::Service& proxy,
                                                const v1::ProxyEvidence& evidence);

// What a round trip really had to wait in the proxy in this trial: over the delayed directions, the
// median of what was asked and the median of how much later than that it was handed on, added. At a
// delay of zero the second is the time that the proxy takes for itself; it is part of every level,
// so a slope does not see it. Absent when a direction recorded nothing.
std::optional<double> AppliedRoundTripNs(const UsedTrial& trial, const v1::Service& proxy);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_PROXIES_H_
