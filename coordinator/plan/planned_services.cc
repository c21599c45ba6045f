#include "coordinator/plan/planned_services.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "base/units.h"

namespace tare::coordinator {
namespace {

std::string DelayFactorOf(const v1::Service& proxy) { return absl::StrCat(proxy.name(), ".delay"); }

// Those that the roles are given the address of, and those behind them.
std::set<std::string> NeededServices(const v1::Experiment& experiment, const v1::Trial& trial) {
  std::set<std::string> needed;
  for (const v1::Role& role : trial.roles()) {
    needed.insert(role.needs().begin(), role.needs().end());
  }
  for (const v1::Service& service : experiment.services()) {
    if (service.has_proxy() && needed.contains(service.name())) {
      needed.insert(service.proxy().to());
    }
  }
  return needed;
}

}  // namespace

bool IsDelayFactor(const v1::Experiment& experiment, absl::string_view factor) {
  for (const v1::Service& service : experiment.services()) {
    if (service.has_proxy() && DelayFactorOf(service) == factor) return true;
  }
  return false;
}

void AddServices(const v1::Experiment& experiment, const v1::Cell& cell, v1::TrialSpec* spec) {
  const std::set<std::string> needed = NeededServices(experiment, spec->trial());
  for (const bool is_proxy : {false, true}) {
    for (const v1::Service& service : experiment.services()) {
      if (service.has_proxy() != is_proxy || !needed.contains(service.name())) continue;
      v1::Service* added = spec->add_services();
      *added = service;
      for (const v1::ConfigValue& level : cell.levels()) {
        if (!is_proxy || level.name() != DelayFactorOf(service)) continue;
        // Checked when the experiment was read.
        added->mutable_proxy()->set_delay_ns(ParseDurationNs(level.text()).value_or(0));
      }
    }
  }
}

}  // namespace tare::coordinator
