#include "coordinator/analysis/integrity.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/identity.h"
#include "coordinator/analysis/imported.h"
#include "coordinator/analysis/machine_checks.h"
#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/proxy_delay.h"
#include "coordinator/analysis/text.h"
#include "coordinator/analysis/work.h"

namespace tare::coordinator {
namespace {

Finding CheckComplete(const RunData& data, const Rounds& rounds) {
  Breaches breaches("incomplete");
  for (const std::string& reason : rounds.incomplete) {
    breaches.Add(reason, "every sample of every planned trial");
  }
  if (!breaches.empty()) {
    return breaches.Refuse("continue with 'tare run --resume RUN', or run it again");
  }
  if (!data.is_final) return NotRun("incomplete", "the run goes on");
  if (!rounds.left_out.empty()) return Passed("incomplete", rounds.left_out);
  return Passed("incomplete", absl::StrCat("all ", Count(rounds.trials_counted, "trial"),
                                           " delivered every sample"));
}

// A generator that falls behind refuses its own trial; one that is there at all counted its lag.
Finding CheckGenerators(const Rounds& rounds) {
  for (const UsedTrial& trial : rounds.trials) {
    for (const v1::Process& process : trial.data->record.processes()) {
      for (const v1::ArmEvidence& evidence : process.arms()) {
        for (const v1::Counter& counter : evidence.counters()) {
          if (counter.name() != "lag_p99_ns") continue;
          return Passed("generator-behind", "the load generator kept its schedule in every trial");
        }
      }
    }
  }
  return NotRun("generator-behind", "the run has no load generator");
}

// A trial that the agent failed or refused carries its own code and message.
v1::Refusal RefusalOf(const v1::Plan& plan, const TrialData& trial) {
  const v1::TrialRecord& record = trial.record;
  v1::Refusal refusal;
  refusal.set_code(record.code().empty() ? "incomplete" : record.code());
  const std::string where = NameTrial(plan, plan.trials(trial.trial));
  // A workload that refuses says "…, limit …" itself, and in the detail what to do.
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(record.message(), absl::MaxSplits(", limit ", 1));
  refusal.set_measured(absl::StrCat(where, ": ", parts.first));
  refusal.set_limit(parts.second.empty() ? record.detail() : parts.second);
  refusal.set_advice(parts.second.empty() || !record.advice().empty() ? record.advice()
                                                                      : record.detail());
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
  if (data.sources.empty()) {
    findings.push_back(CheckWorkDone(data.plan, rounds));
    findings.push_back(CheckSameWork(comparisons));
    findings.push_back(CheckConfigApplied(data, rounds));
    findings.push_back(CheckIdentity(data.plan, rounds));
  } else {
    for (Finding& finding : FindingsOfImported()) findings.push_back(std::move(finding));
  }
  // Of a known-delay arm the comparison says it; the whole run rests on a proxy's delay.
  if (!ProxiesOf(data.experiment).empty()) {
    ASSIGN_OR_RETURN(findings.emplace_back(), CheckProxyDelays(data, rounds));
  }
  for (Finding& finding : CheckCauses(data)) findings.push_back(std::move(finding));
  findings.push_back(CheckOneVariable(comparisons));
  findings.push_back(NotRun("not-repeatable", "no arm was measured twice for repeatability"));
  findings.push_back(CheckGenerators(rounds));

  Integrity integrity;
  for (const Finding& finding : findings) integrity.checks.push_back(finding.check);
  // A trial's own message says more than what follows from its absence, so it comes first.
  AddFailedTrials(data, rounds, &integrity);
  for (const Finding& finding : findings) {
    if (finding.refusal.has_value()) AddRefusal(*finding.refusal, &integrity);
  }
  integrity.warnings = CompareDigests(comparisons);
  for (std::string& warning : CountFailures(rounds)) {
    integrity.warnings.push_back(std::move(warning));
  }
  for (std::string& warning : WarningsOfImported(data)) {
    integrity.warnings.push_back(std::move(warning));
  }
  if (!rounds.left_out.empty()) integrity.warnings.push_back(rounds.left_out);
  return integrity;
}

}  // namespace tare::coordinator
