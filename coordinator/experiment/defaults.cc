// ApplyDefaults: the defaults that experiment.proto states. A test compares the two.

#include "coordinator/experiment/experiment.h"

namespace tare::coordinator {
namespace {

constexpr int64_t kTimeoutNsDefault = 60'000'000'000;
constexpr int64_t kKnownDelayAuto = -1;
constexpr int64_t kKnownDelayOff = 0;

void ApplyDesignDefaults(v1::Design* design) {
  if (!design->has_pairing()) design->set_pairing(v1::PAIRING_IN_PROCESS);
  const bool is_in_rounds = design->pairing() == v1::PAIRING_ROUNDS;
  if (is_in_rounds) {
    if (!design->has_rounds()) design->set_rounds(10);
  } else {
    if (!design->has_processes()) design->set_processes(10);
  }
  if (!design->has_sets()) design->set_sets(is_in_rounds ? 1 : 300);
  if (!design->has_warmup()) design->set_warmup(is_in_rounds ? 0 : 80);
  if (!design->has_washout()) design->set_washout(0);
  if (!design->has_order()) design->set_order(v1::ORDER_RANDOM);
  if (design->pin().empty()) design->add_pin("none");
  if (!design->has_iterations()) design->set_iterations(1);
}

void ApplyPostgresDefaults(v1::Postgres* postgres) {
  if (!postgres->has_dsn() && !postgres->has_lifetime()) postgres->set_lifetime(v1::LIFETIME_RUN);
}

void ApplyProxyDefaults(v1::Proxy* proxy) {
  if (!proxy->has_law()) proxy->set_law(v1::DELAY_LAW_FIXED);
  // A trace has its delays in its file.
  if (proxy->law() != v1::DELAY_LAW_TRACE && !proxy->has_delay_ns()) proxy->set_delay_ns(0);
  if (!proxy->has_direction()) proxy->set_direction(v1::DIRECTION_TO_CLIENT);
  if (!proxy->has_record()) proxy->set_record(v1::RECORDING_SUMMARY);
}

// Services that the workload is given: all, unless it says which; an arm those of the workload.
void ApplyUsesDefaults(v1::Experiment* experiment) {
  v1::Workload* workload = experiment->mutable_workload();
  if (workload->uses().empty()) {
    for (const v1::Service& service : experiment->services()) workload->add_uses(service.name());
  }
  for (v1::Arm& arm : *experiment->mutable_arms()) {
    if (arm.uses().empty()) *arm.mutable_uses() = workload->uses();
  }
}

}  // namespace

void ApplyDefaults(v1::Experiment* experiment) {
  if (!experiment->has_purpose()) experiment->set_purpose(v1::PURPOSE_ESTIMATE);
  if (!experiment->has_gates()) experiment->set_gates(v1::GATES_NORMAL);
  for (v1::Service& service : *experiment->mutable_services()) {
    if (service.has_postgres()) ApplyPostgresDefaults(service.mutable_postgres());
    if (service.has_proxy()) ApplyProxyDefaults(service.mutable_proxy());
  }
  ApplyUsesDefaults(experiment);
  v1::Workload* workload = experiment->mutable_workload();
  if (!workload->has_timeout_ns()) workload->set_timeout_ns(kTimeoutNsDefault);
  ApplyDesignDefaults(experiment->mutable_design());
  v1::Checks* checks = experiment->mutable_checks();
  if (!checks->has_control()) checks->set_control(v1::SWITCH_ON);
  if (!checks->has_known_delay_ns()) {
    const bool is_in_rounds = experiment->design().pairing() == v1::PAIRING_ROUNDS;
    checks->set_known_delay_ns(is_in_rounds ? kKnownDelayOff : kKnownDelayAuto);
  }
  if (experiment->compare().empty()) {
    for (int i = 1; i < experiment->arms_size(); ++i) {
      v1::Comparison* comparison = experiment->add_compare();
      comparison->set_baseline(experiment->arms(0).name());
      comparison->set_candidate(experiment->arms(i).name());
    }
  }
}

}  // namespace tare::coordinator
