#include "coordinator/analysis/proxies.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/analysis/text.h"

namespace tare::coordinator {

std::vector<const v1::Service*> ProxiesOf(const v1::Experiment& experiment) {
  std::vector<const v1::Service*> proxies;
  for (const v1::Service& service : experiment.services()) {
    if (service.has_proxy()) proxies.push_back(&service);
  }
  return proxies;
}

std::string DelayFactorOf(const v1::Service& proxy) { return absl::StrCat(proxy.name(), ".delay"); }

bool IsProxyDelay(const v1::Experiment& experiment, absl::string_view setting) {
  const std::vector<const v1::Service*> proxies = ProxiesOf(experiment);
  return std::any_of(proxies.begin(), proxies.end(),
                     [&](const v1::Service* proxy) { return DelayFactorOf(*proxy) == setting; });
}

absl::StatusOr<int64_t> AskedDelayNs(const v1::Service& proxy, const v1::Cell& cell) {
  for (const v1::ConfigValue& level : cell.levels()) {
    if (level.name() != DelayFactorOf(proxy)) continue;
    const absl::StatusOr<int64_t> delay_ns = ParseDurationNs(FormatConfigValue(level));
    if (!delay_ns.ok()) return Annotate(delay_ns.status(), DelayFactorOf(proxy));
    return *delay_ns;
  }
  return proxy.proxy().delay_ns();
}

int DelaysPerRoundTrip(const v1::Service& proxy) {
  return proxy.proxy().direction() == v1::DIRECTION_BOTH ? 2 : 1;
}

std::string ServiceOf(const v1::Experiment& experiment, const v1::PlannedArm& arm) {
  if (!arm.uses().empty()) return arm.uses(0);
  if (!experiment.workload().uses().empty()) return experiment.workload().uses(0);
  return experiment.services().empty() ? "" : experiment.services(0).name();
}

const v1::ProxyEvidence* ProxyEvidenceOf(const UsedTrial& trial, const v1::Service& proxy) {
  for (const v1::ServiceRecord& service : trial.data->record.services()) {
    if (service.name() == proxy.name() && service.has_proxy()) return &service.proxy();
  }
  return nullptr;
}

std::vector<DelayedDirection> DelayedDirections(const v1::Service& proxy,
                                                const v1::ProxyEvidence& evidence) {
  const v1::Direction direction = proxy.proxy().direction();
  std::vector<DelayedDirection> directions;
  if (direction == v1::DIRECTION_TO_SERVER || direction == v1::DIRECTION_BOTH) {
    directions.push_back({"to-server", &evidence.total().to_server()});
  }
  if (direction != v1::DIRECTION_TO_SERVER) {
    directions.push_back({"to-client", &evidence.total().to_client()});
  }
  return directions;
}

std::optional<double> AppliedRoundTripNs(const UsedTrial& trial, const v1::Service& proxy) {
  const v1::ProxyEvidence* evidence = ProxyEvidenceOf(trial, proxy);
  if (evidence == nullptr) return std::nullopt;
  int64_t applied_ns = 0;
  for (const DelayedDirection& direction : DelayedDirections(proxy, *evidence)) {
    const v1::ProxyDirection& traffic = *direction.traffic;
    if (!traffic.asked().has_p50_ns() || !traffic.late().has_p50_ns()) return std::nullopt;
    applied_ns += traffic.asked().p50_ns() + traffic.late().p50_ns();
  }
  return static_cast<double>(applied_ns);
}

}  // namespace tare::coordinator
