// ApplyDefaults: the defaults that experiment.proto states. A test compares the two.

#include "coordinator/experiment/experiment.h"

namespace tare::coordinator {
namespace {

constexpr int64_t kTimeoutNsDefault = 60'000'000'000;
constexpr int64_t kReadyTimeoutNsDefault = 30'000'000'000;
constexpr int64_t kStopTimeoutNsDefault = 5'000'000'000;
constexpr int32_t kOpenEndedRoundsDefault = 200;
constexpr int64_t kKnownDelayAuto = -1;
constexpr int64_t kKnownDelayOff = 0;

void ApplyDesignDefaults(const v1::Stop& stop, v1::Design* design) {
  if (!design->has_pairing()) design->set_pairing(v1::PAIRING_IN_PROCESS);
  const bool is_in_rounds = design->pairing() == v1::PAIRING_ROUNDS;
  if (is_in_rounds) {
    const bool is_planned = stop.has_max_rounds() && stop.open_ended() != v1::SWITCH_ON;
    if (!design->has_rounds()) design->set_rounds(is_planned ? stop.max_rounds() : 10);
  } else {
    if (!design->has_processes()) design->set_processes(10);
  }
  if (!design->has_sets()) design->set_sets(is_in_rounds ? 1 : 300);
  if (!design->has_warmup()) design->set_warmup(is_in_rounds ? 0 : 80);
  if (!design->has_washout()) design->set_washout(0);
  if (!design->has_order()) design->set_order(v1::ORDER_RANDOM);
  if (design->pin().empty()) design->add_pin("none");
  if (!design->has_iterations()) design->set_iterations(1);
  if (!design->has_scope()) design->set_scope(v1::SCOPE_THESE_HOSTS);
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

void ApplyServerDefaults(v1::Server* server) {
  v1::Readiness* ready = server->mutable_ready();
  if (!ready->has_timeout_ns()) ready->set_timeout_ns(kReadyTimeoutNsDefault);
  if (!server->has_stop_timeout_ns()) server->set_stop_timeout_ns(kStopTimeoutNsDefault);
}

void ApplyGateDefaults(v1::Experiment* experiment) {
  const bool is_gate = experiment->has_threshold();
  if (!experiment->has_purpose()) {
    experiment->set_purpose(is_gate ? v1::PURPOSE_GATE : v1::PURPOSE_ESTIMATE);
  }
  if (is_gate && !experiment->threshold().has_strict()) {
    experiment->mutable_threshold()->set_strict(v1::SWITCH_OFF);
  }
  if (experiment->metrics().empty()) experiment->add_metrics(v1::METRIC_LATENCY);
  if (experiment->has_stop()) {
    v1::Stop* stop = experiment->mutable_stop();
    if (!stop->has_open_ended()) stop->set_open_ended(v1::SWITCH_OFF);
    if (stop->open_ended() == v1::SWITCH_ON && !stop->has_max_rounds()) {
      stop->set_max_rounds(kOpenEndedRoundsDefault);
    }
  }
  if (!experiment->has_confirm()) experiment->set_confirm(v1::SWITCH_OFF);
}

// Its own rungs are its controls.
void ApplyLadderDefaults(v1::Experiment* experiment) {
  if (!experiment->has_ladder()) return;
  v1::Ladder* ladder = experiment->mutable_ladder();
  if (!ladder->has_arm() && experiment->arms_size() > 0)
    ladder->set_arm(experiment->arms(0).name());
  if (!ladder->has_at()) ladder->set_at(v1::DELAY_PLACE_END);
  if (!ladder->has_passes()) ladder->set_passes(1);
  experiment->mutable_checks()->set_control(v1::SWITCH_OFF);
  experiment->mutable_checks()->set_known_delay_ns(kKnownDelayOff);
}

// Every later arm against the first; control arms are compared anyway.
void ApplyCompareDefaults(v1::Experiment* experiment) {
  if (!experiment->compare().empty()) return;
  for (int i = 1; i < experiment->arms_size(); ++i) {
    if (experiment->arms(i).has_same_as()) continue;
    v1::Comparison* comparison = experiment->add_compare();
    comparison->set_baseline(experiment->arms(0).name());
    comparison->set_candidate(experiment->arms(i).name());
  }
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
  ApplyGateDefaults(experiment);
  if (!experiment->has_gates()) experiment->set_gates(v1::GATES_NORMAL);
  for (v1::Service& service : *experiment->mutable_services()) {
    if (service.has_postgres()) ApplyPostgresDefaults(service.mutable_postgres());
    if (service.has_proxy()) ApplyProxyDefaults(service.mutable_proxy());
    if (service.has_server()) ApplyServerDefaults(service.mutable_server());
  }
  ApplyUsesDefaults(experiment);
  v1::Workload* workload = experiment->mutable_workload();
  if (!workload->has_timeout_ns()) workload->set_timeout_ns(kTimeoutNsDefault);
  ApplyDesignDefaults(experiment->stop(), experiment->mutable_design());
  ApplyLadderDefaults(experiment);
  v1::Checks* checks = experiment->mutable_checks();
  if (!checks->has_control()) checks->set_control(v1::SWITCH_ON);
  if (!checks->has_known_delay_ns()) {
    const bool is_in_rounds = experiment->design().pairing() == v1::PAIRING_ROUNDS;
    checks->set_known_delay_ns(is_in_rounds ? kKnownDelayOff : kKnownDelayAuto);
  }
  ApplyCompareDefaults(experiment);
}

}  // namespace tare::coordinator
