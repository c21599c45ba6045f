// Cutting a proxy's evidence to what a trial's record has room for.
//
// Pure function, thread-safe.

#ifndef TARE_AGENT_SERVICES_PROXY_EVIDENCE_H_
#define TARE_AGENT_SERVICES_PROXY_EVIDENCE_H_

#include <cstddef>
#include <cstdint>

#include "tare/v1/proxy.pb.h"

namespace tare::agent {

// Recorded values that are kept of each direction, over all connections.
inline constexpr int32_t kRecordedValuesMax = 20'000;

// Keeps the first kRecordedValuesMax recorded values of each direction, fewer when the evidence is
// longer than `bytes_max` with these; what goes is added to recorded_left_out. If it is still too
// long, the oldest connections go and are counted in connections_left_out. The counts and the
// distributions of `total` stay whole.
void BoundEvidence(size_t bytes_max, v1::ProxyEvidence* evidence);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_PROXY_EVIDENCE_H_
