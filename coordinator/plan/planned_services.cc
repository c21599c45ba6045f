#include "coordinator/plan/planned_services.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/placeholders.h"
#include "base/units.h"

namespace tare::coordinator {
namespace {

std::string DelayFactorOf(const v1::Service& proxy) { return absl::StrCat(proxy.name(), ".delay"); }

// The services whose address a service is given itself.
std::vector<std::string> NeedsOf(const v1::Service& service) {
  std::vector<std::string> needs;
  if (service.has_proxy()) needs.push_back(service.proxy().to());
  for (const std::string& argument : service.server().command()) {
    // Checked when the experiment was read; `{port}` is no service.
    for (std::string& name : PlaceholdersOf(argument).value_or(std::vector<std::string>())) {
      needs.push_back(std::move(name));
    }
  }
  return needs;
}

// Puts a service behind those that it needs.
class ServiceOrder {
 public:
  explicit ServiceOrder(const v1::Experiment& experiment) : experiment_(experiment) {}

  void Add(const std::string& name) {
    for (const v1::Service& service : experiment_.services()) {
      if (service.name() != name || !seen_.insert(name).second) continue;
      for (const std::string& need : NeedsOf(service)) Add(need);
      services_.push_back(&service);
    }
  }

  const std::vector<const v1::Service*>& services() const { return services_; }

 private:
  const v1::Experiment& experiment_;
  std::set<std::string> seen_;
  std::vector<const v1::Service*> services_;
};

}  // namespace

bool IsDelayFactor(const v1::Experiment& experiment, absl::string_view factor) {
  for (const v1::Service& service : experiment.services()) {
    if (service.has_proxy() && DelayFactorOf(service) == factor) return true;
  }
  return false;
}

void AddServices(const v1::Experiment& experiment, const v1::Cell& cell, v1::TrialSpec* spec) {
  ServiceOrder order(experiment);
  // In file order as far as needs allow.
  for (const v1::Service& service : experiment.services()) {
    for (const v1::Role& role : spec->trial().roles()) {
      const auto& needs = role.needs();
      if (std::find(needs.begin(), needs.end(), service.name()) != needs.end()) {
        order.Add(service.name());
      }
    }
  }
  for (const v1::Service* service : order.services()) {
    v1::Service* added = spec->add_services();
    *added = *service;
    for (const v1::ConfigValue& level : cell.levels()) {
      if (!service->has_proxy() || level.name() != DelayFactorOf(*service)) continue;
      // Checked when the experiment was read.
      added->mutable_proxy()->set_delay_ns(ParseDurationNs(level.text()).value_or(0));
    }
  }
}

}  // namespace tare::coordinator
