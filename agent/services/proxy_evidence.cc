#include "agent/services/proxy_evidence.h"

#include <algorithm>

namespace tare::agent {
namespace {

using MutableDirection = v1::ProxyDirection* (v1::ProxyTraffic::*)();

// Keeps at most `values_max` of the direction; returns how many it kept.
int32_t KeepFirst(int32_t values_max, v1::ProxyDirection* direction) {
  const int32_t count = direction->recorded_applied_ns_size();
  const int32_t kept = std::min(count, values_max);
  direction->mutable_recorded_asked_ns()->Truncate(
      std::min(kept, direction->recorded_asked_ns_size()));
  direction->mutable_recorded_applied_ns()->Truncate(kept);
  if (kept < count) direction->set_recorded_left_out(direction->recorded_left_out() + count - kept);
  return kept;
}

// `direction` names one of the two.
void KeepRecorded(int32_t values_max, MutableDirection direction, v1::ProxyEvidence* evidence) {
  for (v1::ProxyConnection& connection : *evidence->mutable_connections()) {
    values_max -= KeepFirst(values_max, (connection.mutable_traffic()->*direction)());
  }
  KeepFirst(values_max, (evidence->mutable_total()->*direction)());
}

}  // namespace

void BoundEvidence(size_t bytes_max, v1::ProxyEvidence* evidence) {
  int32_t values_max = kRecordedValuesMax;
  do {
    KeepRecorded(values_max, &v1::ProxyTraffic::mutable_to_server, evidence);
    KeepRecorded(values_max, &v1::ProxyTraffic::mutable_to_client, evidence);
    if (evidence->ByteSizeLong() <= bytes_max) return;
    values_max /= 2;
  } while (values_max > 0);
  const size_t others = evidence->ByteSizeLong();
  size_t dropped = 0;
  int count = 0;
  while (count < evidence->connections_size() && others - dropped > bytes_max) {
    dropped += evidence->connections(count++).ByteSizeLong();
  }
  evidence->mutable_connections()->DeleteSubrange(0, count);
  evidence->set_connections_left_out(evidence->connections_left_out() + count);
}

}  // namespace tare::agent
