#include "agent/trial_proxies.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "agent/services/proxy_control.h"
#include "agent/services/proxy_evidence.h"
#include "agent/spool.h"

namespace tare::agent {
namespace {

// Of a chunk; the rest is for everything else in the record.
constexpr size_t kEvidenceBytesMax = static_cast<size_t>(kChunkBytesMax) / 4 * 3;

const ProxyControl* ControlOf(ServiceSet& services, const std::string& name) {
  const Service* service = services.Find(name);
  return service == nullptr ? nullptr : service->proxy();
}

}  // namespace

TrialProxies::TrialProxies(ServiceSet* services, const v1::TrialSpec& spec) : services_(services) {
  for (const v1::Service& service : spec.services()) {
    if (service.has_proxy()) names_.push_back(service.name());
  }
}

void TrialProxies::Begin() {
  begin_.clear();
  for (const std::string& name : names_) {
    const ProxyControl* control = ControlOf(*services_, name);
    if (control == nullptr) continue;
    absl::StatusOr<v1::ProxyCounters> counters = control->Counters();
    if (counters.ok()) begin_[name] = *std::move(counters);
  }
}

std::vector<v1::ProxyCounters> TrialProxies::End() {
  std::vector<v1::ProxyCounters> differences;
  for (const auto& [name, begin] : begin_) {
    const ProxyControl* control = ControlOf(*services_, name);
    if (control == nullptr) continue;
    const absl::StatusOr<v1::ProxyCounters> end = control->Counters();
    if (!end.ok()) continue;
    v1::ProxyCounters& difference = differences.emplace_back();
    difference.set_service(name);
    difference.set_turns(end->turns() - begin.turns());
    difference.set_client_writes(end->client_writes() - begin.client_writes());
    difference.set_postgres_round_trips(end->postgres_round_trips() - begin.postgres_round_trips());
    difference.set_connections_accepted(end->connections_accepted() - begin.connections_accepted());
  }
  return differences;
}

void TrialProxies::AttachEvidence(v1::TrialRecord* record) {
  const size_t bytes_max = kEvidenceBytesMax / std::max<size_t>(1, names_.size());
  for (v1::ServiceRecord& service : *record->mutable_services()) {
    if (std::find(names_.begin(), names_.end(), service.name()) == names_.end()) continue;
    const ProxyControl* control = ControlOf(*services_, service.name());
    if (control == nullptr) continue;
    absl::StatusOr<v1::ProxyEvidence> evidence = control->Evidence();
    if (!evidence.ok()) continue;
    BoundEvidence(bytes_max, &*evidence);
    *service.mutable_proxy() = *std::move(evidence);
  }
}

}  // namespace tare::agent
