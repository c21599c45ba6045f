#include "coordinator/analysis/run_facts.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/version.h"
#include "coordinator/analysis/proxy_delay.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

void DescribeDesign(const RunData& data, v1::Report* report) {
  const v1::Experiment& experiment = data.experiment;
  report->set_run(data.run);
  report->set_confirms(data.plan.confirms());
  report->mutable_sources()->Add(data.sources.begin(), data.sources.end());
  report->set_experiment(experiment.name());
  if (experiment.has_question()) report->set_question(experiment.question());
  report->set_purpose(experiment.purpose());
  report->set_pairing(data.plan.pairing());
  report->set_order(data.plan.order());
  report->set_seed(data.plan.seed());
  report->set_gates(experiment.gates());
  report->set_washout(data.plan.washout());
  report->set_warmup(data.plan.warmup_sets());
  *report->mutable_pin() = experiment.design().pin();
  report->set_version(kVersion);
}

void DescribeTimes(const RunData& data, v1::Report* report) {
  int64_t start = 0;
  int64_t end = 0;
  for (const TrialData& trial : data.trials) {
    const int64_t started = trial.record.started_unix_ns();
    if (started > 0 && (start == 0 || started < start)) start = started;
    end = std::max(end, trial.record.ended_unix_ns());
  }
  report->set_started_unix_ns(start);
  if (start > 0 && end > start) report->set_duration_ns(end - start);
}

void DescribeMachines(const RunData& data, v1::Report* report) {
  std::set<std::string> seen;
  for (const TrialData& trial : data.trials) {
    const v1::Machine& machine = trial.record.machine();
    if (machine.host().empty()) continue;
    if (!seen.insert(absl::StrCat(machine.host(), "\n", machine.machine_id())).second) continue;
    *report->add_machines() = machine;
  }
}

void DescribePrograms(const RunData& data, v1::Report* report) {
  std::set<std::string> seen;
  for (const TrialData& trial : data.trials) {
    for (const v1::Process& process : trial.record.processes()) {
      if (process.command().empty()) continue;  // of imported data nobody knows the program
      const std::string key =
          absl::StrCat(process.program_sha256(), "\n", absl::StrJoin(process.command(), "\n"));
      if (!seen.insert(key).second) continue;
      v1::Process* program = report->add_programs();
      *program = process;
      // What belongs to one process and not to the program.
      program->clear_arms();
      program->clear_exit_code();
      program->clear_exit_signal();
      program->clear_user_ns();
      program->clear_system_ns();
      program->clear_memory_peak_bytes();
      program->clear_leftovers_count();
      program->clear_log_tail();
    }
  }
}

void DescribeService(const v1::ServiceRecord& first, const Rounds& rounds, v1::Report* report) {
  v1::ServiceRecord* described = report->add_services();
  *described = first;
  if (first.has_proxy()) {
    // Of one trial and its delay only; Report.proxies is about all of them.
    described->clear_proxy();
    described->clear_empty_round_trip_ns();
    return;
  }
  std::vector<double> round_trips;
  for (const UsedTrial& trial : rounds.trials) {
    for (const v1::ServiceRecord& service : trial.data->record.services()) {
      if (service.name() == first.name() && service.has_empty_round_trip_ns()) {
        round_trips.push_back(static_cast<double>(service.empty_round_trip_ns()));
      }
    }
  }
  const absl::StatusOr<double> median = stats::Median(round_trips);
  if (median.ok()) described->set_empty_round_trip_ns(std::llround(*median));
}

// In rounds, a trial has the services of its own arm only.
void DescribeServices(const Rounds& rounds, v1::Report* report) {
  std::set<std::string> seen;
  for (const UsedTrial& trial : rounds.trials) {
    for (const v1::ServiceRecord& service : trial.data->record.services()) {
      if (seen.insert(service.name()).second) DescribeService(service, rounds, report);
    }
  }
}

}  // namespace

void DescribeRun(const RunData& data, const Rounds& rounds, v1::Report* report) {
  DescribeDesign(data, report);
  report->set_trials_planned(data.plan.trials_size());
  report->set_trials_counted(rounds.trials_counted);
  report->set_rounds_planned(rounds.rounds_planned);
  report->set_rounds_counted(rounds.rounds_counted);
  report->set_attempts_discarded(data.attempts_discarded);
  report->set_samples_count(rounds.samples_count);
  DescribeTimes(data, report);
  DescribeMachines(data, report);
  DescribeServices(rounds, report);
  DescribePrograms(data, report);
  for (v1::ProxyReport& proxy : DescribeProxies(data, rounds)) {
    *report->add_proxies() = std::move(proxy);
  }
}

}  // namespace tare::coordinator
