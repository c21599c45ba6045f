#include "tests/analysis/proxy_run.h"

#include <cmath>
#include <cstdlib>

#include "absl/strings/match.h"
#include "base/units.h"

namespace tare::coordinator {
namespace {

bool IsThrough(const v1::PlannedArm& arm) { return arm.uses(0) == "wire"; }

int64_t DelayNs(const ProxyShape& shape, int cell) {
  return ParseDurationNs(shape.delays[static_cast<size_t>(cell)]).value();
}

// Both directions together.
double HeldNs(const ProxyShape& shape, int cell) {
  const int directions = shape.direction == v1::DIRECTION_BOTH ? 2 : 1;
  return directions * static_cast<double>(DelayNs(shape, cell) + shape.late_ns);
}

void AddServices(const ProxyShape& shape, v1::Experiment* experiment) {
  v1::Service* db = experiment->add_services();
  db->set_name("db");
  db->mutable_postgres();
  v1::Service* wire = experiment->add_services();
  wire->set_name("wire");
  wire->mutable_proxy()->set_to("db");
  wire->mutable_proxy()->set_direction(shape.direction);
}

// Turns the factor "plans" into the delay of the proxy, which no workload echoes.
void SweepDelay(const ProxyShape& shape, RunData* data) {
  for (v1::Cell& cell : *data->plan.mutable_cells()) {
    v1::ConfigValue* level = cell.mutable_levels(0);
    level->set_name("wire.delay");
    level->set_text(shape.delays[static_cast<size_t>(cell.cell())]);
  }
  for (TrialData& trial : data->trials) {
    for (v1::ArmEvidence& evidence : *ProcessOf(&trial)->mutable_arms()) {
      evidence.mutable_config()->RemoveLast();
    }
  }
}

v1::Distribution Around(int64_t value_ns, int64_t count) {
  v1::Distribution distribution;
  distribution.set_count(count);
  distribution.set_p50_ns(value_ns);
  distribution.set_p99_ns(value_ns + value_ns / 2);
  return distribution;
}

void AddProxy(const ProxyShape& shape, const RunData& data, TrialData* trial) {
  const int64_t delay_ns = DelayNs(shape, data.plan.trials(trial->trial).cell());
  int64_t turns = 0;
  for (v1::SampleBlock& block : trial->blocks) {
    int64_t operations = 0;
    for (uint32_t arm : block.arm()) {
      operations += IsThrough(data.plan.arms(static_cast<int>(arm))) ? shape.run.iterations : 0;
    }
    v1::ProxyCounters* counters = block.mutable_evidence()->add_proxies();
    counters->set_service("wire");
    counters->set_turns(std::llround(shape.turns_per_operation * static_cast<double>(operations)));
    counters->set_client_writes(counters->turns());
    counters->set_postgres_round_trips(counters->turns());
    turns += counters->turns();
  }
  v1::ServiceRecord* service = trial->record.add_services();
  service->set_name("wire");
  service->set_kind("proxy");
  v1::ProxyEvidence* evidence = service->mutable_proxy();
  evidence->set_uptime_ns(1'000'000'000);
  evidence->set_polling_ns(40'000'000);
  evidence->mutable_total()->set_turns(turns);
  evidence->mutable_total()->mutable_postgres()->set_round_trips(turns);
  for (v1::ProxyDirection* direction : {evidence->mutable_total()->mutable_to_client(),
                                        evidence->mutable_total()->mutable_to_server()}) {
    const bool is_to_client = direction == &evidence->total().to_client();
    const bool is_delayed = shape.direction == v1::DIRECTION_BOTH ||
                            is_to_client == (shape.direction == v1::DIRECTION_TO_CLIENT);
    *direction->mutable_asked() = Around(is_delayed ? delay_ns : 0, turns);
    *direction->mutable_late() = Around(shape.late_ns, turns);
  }
}

}  // namespace

RunData MakeProxyRun(const ProxyShape& shape) {
  RunShape run = shape.run;
  run.plans.resize(shape.delays.size());
  RunData data = MakeRun(run, [&](const SampleContext& context) {
    const double held_ns =
        absl::StartsWith(context.arm, "direct") ? 0 : HeldNs(shape, context.cell);
    return 300'000 + 10'000 * (context.round % 3) + 2'000 * context.random->Normal() +
           shape.round_trips(context.round) * held_ns;
  });
  AddServices(shape, &data.experiment);
  for (v1::PlannedArm& arm : *data.plan.mutable_arms()) {
    arm.add_uses(absl::StartsWith(arm.name(), "direct") ? "db" : "wire");
  }
  SweepDelay(shape, &data);
  for (TrialData& trial : data.trials) AddProxy(shape, data, &trial);
  return data;
}

v1::ProxyEvidence* ProxyOf(TrialData* trial) {
  for (v1::ServiceRecord& service : *trial->record.mutable_services()) {
    if (service.has_proxy()) return service.mutable_proxy();
  }
  std::abort();
}

std::vector<TrialData*> TrialsAt(const std::string& delay, RunData* data) {
  std::vector<TrialData*> trials;
  for (TrialData& trial : data->trials) {
    const v1::Cell& cell = data->plan.cells(data->plan.trials(trial.trial).cell());
    if (cell.levels(0).text() == delay) trials.push_back(&trial);
  }
  return trials;
}

}  // namespace tare::coordinator
