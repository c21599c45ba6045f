#include "coordinator/analysis/proxy_delay.h"

#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/analysis/known_delay.h"
#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/text.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

constexpr char kCode[] = "delay-not-applied";

// One direction of one proxy in one cell, an entry a trial.
struct Delays {
  std::vector<double> asked_ns;
  std::vector<double> applied_ns;
};

bool IsFixed(const v1::Proxy& proxy) {
  return proxy.law() == v1::DELAY_LAW_FIXED || proxy.law() == v1::DELAY_LAW_UNSPECIFIED;
}

absl::StatusOr<std::map<absl::string_view, Delays>> ReadDelays(const v1::Service& proxy,
                                                               const v1::Cell& cell,
                                                               const Rounds& rounds) {
  ASSIGN_OR_RETURN(const int64_t fixed_ns, AskedDelayNs(proxy, cell));
  std::map<absl::string_view, Delays> by_direction;
  for (const UsedTrial& trial : rounds.trials) {
    const v1::ProxyEvidence* evidence = ProxyEvidenceOf(trial, proxy);
    if (trial.planned->cell() != cell.cell() || evidence == nullptr) continue;
    for (const DelayedDirection& direction : DelayedDirections(proxy, *evidence)) {
      const v1::Distribution& drawn = direction.traffic->asked();
      const v1::Distribution& late = direction.traffic->late();
      const int64_t asked_ns = IsFixed(proxy.proxy()) ? fixed_ns : drawn.p50_ns();
      if (asked_ns <= 0 || !drawn.has_p50_ns() || !late.has_p50_ns()) continue;
      Delays& delays = by_direction[direction.name];
      delays.asked_ns.push_back(static_cast<double>(asked_ns));
      delays.applied_ns.push_back(static_cast<double>(drawn.p50_ns() + late.p50_ns()));
    }
  }
  return by_direction;
}

void Judge(absl::string_view where, const Delays& delays, Breaches* breaches) {
  const double asked_ns = stats::Median(delays.asked_ns).value_or(0);
  const double applied_ns = stats::Median(delays.applied_ns).value_or(0);
  const double allowed_ns = AllowedMissNs(asked_ns);
  if (std::abs(applied_ns - asked_ns) <= allowed_ns) return;
  breaches->Add(absl::StrCat(where, ": asked ", FormatDuration(asked_ns), ", applied ",
                             FormatDuration(applied_ns), ", off by ",
                             FormatDuration(applied_ns - asked_ns), " (median of ",
                             Count(static_cast<int64_t>(delays.asked_ns.size()), "trial"), ")"),
                absl::StrCat("off by at most ", FormatDuration(allowed_ns)));
}

std::string DescribeDirection(const v1::Service& proxy) {
  switch (proxy.proxy().direction()) {
    case v1::DIRECTION_TO_SERVER:
      return "to-server: a round trip takes the delay once";
    case v1::DIRECTION_BOTH:
      return "both: a round trip takes the delay twice";
    default:
      return "to-client: a round trip takes the delay once";
  }
}

// Lateness of the trials that were asked for a delay, an entry a trial and direction.
struct Lateness {
  std::vector<double> p50_ns;
  std::vector<double> p99_ns;
};

void AddReleases(const DelayedDirection& direction, Lateness* lateness, v1::ProxyReport* report) {
  const v1::Distribution& drawn = direction.traffic->asked();
  const v1::Distribution& late = direction.traffic->late();
  if (drawn.p50_ns() <= 0) return;
  report->set_releases(report->releases() + drawn.count());
  if (late.has_p50_ns()) lateness->p50_ns.push_back(static_cast<double>(late.p50_ns()));
  if (late.has_p99_ns()) lateness->p99_ns.push_back(static_cast<double>(late.p99_ns()));
}

std::optional<v1::ProxyReport> DescribeProxy(const v1::Service& proxy, const Rounds& rounds) {
  v1::ProxyReport report;
  report.set_service(proxy.name());
  report.set_direction(DescribeDirection(proxy));
  Lateness lateness;
  double polling_ns = 0;
  double uptime_ns = 0;
  bool has_evidence = false;
  for (const UsedTrial& trial : rounds.trials) {
    const v1::ProxyEvidence* evidence = ProxyEvidenceOf(trial, proxy);
    if (evidence == nullptr) continue;
    has_evidence = true;
    report.set_turns(report.turns() + evidence->total().turns());
    polling_ns += static_cast<double>(evidence->polling_ns());
    uptime_ns += static_cast<double>(evidence->uptime_ns());
    for (const DelayedDirection& direction : DelayedDirections(proxy, *evidence)) {
      AddReleases(direction, &lateness, &report);
    }
  }
  if (!has_evidence) return std::nullopt;
  const absl::StatusOr<double> p50_ns = stats::Median(lateness.p50_ns);
  const absl::StatusOr<double> p99_ns = stats::Median(lateness.p99_ns);
  if (p50_ns.ok()) report.set_late_p50_ns(*p50_ns);
  if (p99_ns.ok()) report.set_late_p99_ns(*p99_ns);
  if (uptime_ns > 0) report.set_polling_share(polling_ns / uptime_ns);
  return report;
}

}  // namespace

absl::StatusOr<Finding> CheckProxyDelays(const RunData& data, const Rounds& rounds) {
  Breaches breaches(kCode);
  bool has_run = false;
  for (const v1::Service* proxy : ProxiesOf(data.experiment)) {
    for (const v1::Cell& cell : data.plan.cells()) {
      ASSIGN_OR_RETURN(const auto by_direction, ReadDelays(*proxy, cell, rounds));
      const std::string name = NameCell(cell);
      for (const auto& [direction, delays] : by_direction) {
        has_run = true;
        Judge(
            absl::StrCat("proxy '", proxy->name(), "' ", direction, name.empty() ? "" : ", ", name),
            delays, &breaches);
      }
    }
  }
  if (!has_run) return NotRun(kCode, "no proxy recorded a delay");
  if (breaches.empty()) {
    return Passed(kCode, "every proxy delayed as it was asked, within 1 us or 1 %");
  }
  return breaches.Refuse("leave a CPU free for the proxy, or ask for longer delays");
}

std::vector<v1::ProxyReport> DescribeProxies(const RunData& data, const Rounds& rounds) {
  std::vector<v1::ProxyReport> reports;
  for (const v1::Service* proxy : ProxiesOf(data.experiment)) {
    std::optional<v1::ProxyReport> report = DescribeProxy(*proxy, rounds);
    if (report.has_value()) reports.push_back(*std::move(report));
  }
  return reports;
}

}  // namespace tare::coordinator
