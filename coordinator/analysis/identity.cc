#include "coordinator/analysis/identity.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "coordinator/analysis/process_metric.h"

namespace tare::coordinator {
namespace {

void CheckTrialIdentity(const v1::Plan& plan, const UsedTrial& trial, Breaches* breaches) {
  const v1::TrialRecord& record = trial.data->record;
  const std::string where = NameTrial(plan, *trial.planned);
  if (record.machine().host().empty()) {
    breaches->Add(absl::StrCat(where, " names no host"), "the host of every trial");
  }
  for (const v1::Role& role : trial.planned->roles()) {
    const auto process =
        std::find_if(record.processes().begin(), record.processes().end(),
                     [&](const v1::Process& p) { return p.role() == role.role(); });
    if (process == record.processes().end()) {
      breaches->Add(absl::StrCat("no process of role '", role.role(), "' in ", where),
                    "every planned process");
    } else if (process->program_sha256().empty()) {
      breaches->Add(absl::StrCat("no digest of the program of role '", role.role(), "' in ", where),
                    "the SHA-256 of every program");
    } else if (process->harness().empty()) {
      breaches->Add(
          absl::StrCat("role '", role.role(), "' in ", where, " does not name its harness"),
          "the harness of every process");
    }
  }
  const v1::ServiceRecord* server = ServerOf(trial);
  if (server == nullptr) return;
  const v1::Process* process = FindProcess(trial, server->name());
  if (process == nullptr || process->program_sha256().empty()) {
    breaches->Add(absl::StrCat("no digest of the server '", server->name(), "' in ", where),
                  "the SHA-256 of every program");
  }
}

}  // namespace

Finding CheckIdentity(const v1::Plan& plan, const Rounds& rounds) {
  if (rounds.trials.empty()) return NotRun("identity-missing", "no trial is complete");
  Breaches breaches("identity-missing");
  for (const UsedTrial& trial : rounds.trials) CheckTrialIdentity(plan, trial, &breaches);
  if (breaches.empty()) {
    return Passed("identity-missing", "host, program and harness of every trial are known");
  }
  return breaches.Refuse("let the agent read the program and the workload say its harness");
}

namespace {

std::string ProgramOf(const UsedTrial& trial, const std::string& role) {
  const v1::Process* process = FindProcess(trial, role);
  return process == nullptr ? "" : process->program_sha256();
}

// The server of each arm must stay what it was in its first round.
void CheckServer(const UsedTrial& trial, const std::string& arm,
                 std::map<std::string, std::string>* programs, Breaches* breaches) {
  const std::string program = ProgramOf(trial, ServerOf(trial)->name());
  const auto [known, is_new] = programs->emplace(arm, program);
  if (is_new || known->second == program) return;
  breaches->Add(absl::StrCat("the server of '", arm, "' is program ", program, " in round ",
                             trial.planned->round()),
                absl::StrCat(known->second, " as in the rounds before"));
}

}  // namespace

Finding CheckOneVariable(std::span<const CellComparison> comparisons) {
  Breaches breaches("more-than-one-variable");
  std::map<std::string, std::string> programs;
  bool has_server = false;
  for (const CellComparison& comparison : comparisons) {
    const v1::PlannedComparison& planned = *comparison.planned;
    for (const Unit& unit : comparison.units) {
      const UsedTrial& baseline = *unit.baseline_trial;
      const UsedTrial& candidate = *unit.candidate_trial;
      if (ServerOf(baseline) == nullptr || ServerOf(candidate) == nullptr) continue;
      has_server = true;
      CheckServer(baseline, planned.baseline(), &programs, &breaches);
      CheckServer(candidate, planned.candidate(), &programs, &breaches);
      const std::string load = ProgramOf(baseline, baseline.planned->roles(0).role());
      const std::string other = ProgramOf(candidate, candidate.planned->roles(0).role());
      if (load == other) continue;
      breaches.Add(absl::StrCat("the load of '", planned.candidate(), "' in round ", unit.round,
                                " comes from program ", other),
                   absl::StrCat(load, " as of '", planned.baseline(), "'"));
    }
  }
  if (!has_server) {
    return NotRun("more-than-one-variable", "the experiment names no one variable");
  }
  if (breaches.empty()) {
    return Passed("more-than-one-variable", "the arms differ in their server, not in its load");
  }
  return breaches.Refuse("put both servers under load by the same program, and rebuild nothing");
}

}  // namespace tare::coordinator
