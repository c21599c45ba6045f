// How exactly proxies delayed what they were asked to delay, over all trials.

#ifndef TARE_COORDINATOR_ANALYSIS_PROXY_DELAY_H_
#define TARE_COORDINATOR_ANALYSIS_PROXY_DELAY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/rounds.h"

namespace tare::coordinator {

// `delay-not-applied` for proxies: in a cell, the median over its trials of the trial's median
// delay misses the asked one, in one direction, by more than AllowedMissNs. Asked is, of a fixed
// law, the experiment's delay; of others the median of what the law drew. Not run where no trial
// recorded a delay. InvalidArgument as of AskedDelayNs.
absl::StatusOr<Finding> CheckProxyDelays(const RunData& data, const Rounds& rounds);

// One entry a proxy that left evidence in a trial.
std::vector<v1::ProxyReport> DescribeProxies(const RunData& data, const Rounds& rounds);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_PROXY_DELAY_H_
