#include "coordinator/analysis/integrity.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/machine_checks.h"
#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/proxy_delay.h"
#include "coordinator/analysis/text.h"
#include "coordinator/analysis/work.h"

namespace tare::coordinator {
namespace {

Finding CheckComplete(const RunData& data, const Rounds& rounds) {
  Violations violations("incomplete");
  for (const std::string& reason : rounds.incomplete) {
    violations.Add(reason, "every sample of every planned trial");
  }
  if (!violations.empty()) {
    return violations.Refuse("continue with 'tare run --resume RUN', or run it again");
  }
  if (!data.is_final) return NotRun("incomplete", "the run goes on");
  if (!rounds.left_out.empty()) return Passed("incomplete", rounds.left_out);
  return Passed("incomplete", absl::StrCat("all ", Count(rounds.trials_counted, "trial"),
                                           " delivered every sample"));
}

void CheckTrialIdentity(const v1::Plan& plan, const UsedTrial& trial, Violations* violations) {
  const v1::TrialRecord& record = trial.data->record;
  const std::string where = NameTrial(plan, *trial.planned);
  if (record.machine().host().empty()) {
    violations->Add(absl::StrCat(where, " names no host"), "the host of every trial");
  }
  for (const v1::Role& role : trial.planned->roles()) {
    const auto process =
        std::find_if(record.processes().begin(), record.processes().end(),
                     [&](const v1::Process& p) { return p.role() == role.role(); });
    if (process == record.processes().end()) {
      violations->Add(absl::StrCat("no process of role '", role.role(), "' in ", where),
                      "every planned process");
    } else if (process->program_sha256().empty()) {
      violations->Add(
          absl::StrCat("no digest of the program of role '", role.role(), "' in ", where),
          "the SHA-256 of every program");
    } else if (process->harness().empty()) {
      violations->Add(
          absl::StrCat("role '", role.role(), "' in ", where, " does not name its harness"),
          "the harness of every process");
    }
  }
}

Finding CheckIdentity(const v1::Plan& plan, const Rounds& rounds) {
  if (rounds.trials.empty()) return NotRun("identity-missing", "no trial is complete");
  Violations violations("identity-missing");
  for (const UsedTrial& trial : rounds.trials) CheckTrialIdentity(plan, trial, &violations);
  if (violations.empty()) {
    return Passed("identity-missing", "host, program and harness of every trial are known");
  }
  return violations.Refuse("let the agent read the program and the workload say its harness");
}

// A trial that the agent failed or refused carries its own code and message.
v1::Refusal RefusalOf(const v1::Plan& plan, const TrialData& trial) {
  const v1::TrialRecord& record = trial.record;
  v1::Refusal refusal;
  refusal.set_code(record.code().empty() ? "incomplete" : record.code());
  refusal.set_measured(
      absl::StrCat(NameTrial(plan, plan.trials(trial.trial)), ": ", record.message()));
  refusal.set_limit(record.detail());
  refusal.set_advice(record.advice());
  return refusal;
}

void AddRefusal(const v1::Refusal& refusal, Integrity* integrity) {
  const bool is_known =
      std::any_of(integrity->refusals.begin(), integrity->refusals.end(),
                  [&](const v1::Refusal& known) { return known.code() == refusal.code(); });
  if (!is_known) integrity->refusals.push_back(refusal);
}

void AddFailedTrials(const RunData& data, const Rounds& rounds, Integrity* integrity) {
  for (const TrialData* trial : rounds.failed) {
    const v1::Refusal refusal = RefusalOf(data.plan, *trial);
    AddRefusal(refusal, integrity);
    for (v1::IntegrityCheck& check : integrity->checks) {
      if (check.name() != refusal.code() || check.status() == v1::CHECK_STATUS_REFUSED) continue;
      check.set_status(v1::CHECK_STATUS_REFUSED);
      check.set_text(refusal.measured());
    }
  }
}

}  // namespace

absl::StatusOr<Integrity> CheckIntegrity(const RunData& data, const Rounds& rounds,
                                         std::span<const CellComparison> comparisons) {
  std::vector<Finding> findings;
  findings.push_back(CheckComplete(data, rounds));
  findings.push_back(CheckWorkDone(data.plan, rounds));
  findings.push_back(CheckSameWork(comparisons));
  findings.push_back(CheckConfigApplied(data, rounds));
  findings.push_back(CheckIdentity(data.plan, rounds));
  // Of a known-delay arm the comparison says it; the whole run rests on a proxy's delay.
  if (!ProxiesOf(data.experiment).empty()) {
    ASSIGN_OR_RETURN(findings.emplace_back(), CheckProxyDelays(data, rounds));
  }
  for (Finding& finding : CheckCauses(data)) findings.push_back(std::move(finding));
  findings.push_back(NotRun("more-than-one-variable", "the experiment names no one variable"));
  findings.push_back(NotRun("not-repeatable", "no arm was measured twice for repeatability"));
  findings.push_back(NotRun("generator-behind", "the run has no load generator"));
  findings.push_back(NotRun("not-steady", "warm-up is not judged by this version"));

  Integrity integrity;
  for (const Finding& finding : findings) integrity.checks.push_back(finding.check);
  // A trial's own message says more than what follows from its absence, so it comes first.
  AddFailedTrials(data, rounds, &integrity);
  for (const Finding& finding : findings) {
    if (finding.refusal.has_value()) AddRefusal(*finding.refusal, &integrity);
  }
  integrity.warnings = CompareDigests(comparisons);
  if (!rounds.left_out.empty()) integrity.warnings.push_back(rounds.left_out);
  return integrity;
}

}  // namespace tare::coordinator
