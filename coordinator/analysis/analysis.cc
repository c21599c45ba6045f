#include "coordinator/analysis/analysis.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "coordinator/analysis/carry_over.h"
#include "coordinator/analysis/control.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/integrity.h"
#include "coordinator/analysis/judge.h"
#include "coordinator/analysis/known_delay.h"
#include "coordinator/analysis/machine_checks.h"
#include "coordinator/analysis/numbers.h"
#include "coordinator/analysis/round_trips.h"
#include "coordinator/analysis/rounds.h"
#include "coordinator/analysis/run_facts.h"
#include "coordinator/analysis/sentence.h"
#include "coordinator/analysis/units.h"
#include "stats/holm.h"
#include "stats/log_ratio.h"

namespace tare::coordinator {
namespace {

using Comparisons = std::vector<CellComparison>;

std::vector<const CellComparison*> OfKind(const Comparisons& comparisons, v1::ComparisonKind kind) {
  std::vector<const CellComparison*> found;
  for (const CellComparison& comparison : comparisons) {
    if (comparison.planned->kind() == kind) found.push_back(&comparison);
  }
  return found;
}

// What the report compares: the experiment's items, or, of a run with one arm, that arm with its
// own control.
std::vector<const CellComparison*> Reported(const Comparisons& comparisons) {
  std::vector<const CellComparison*> subjects = OfKind(comparisons, v1::COMPARISON_KIND_SUBJECT);
  return subjects.empty() ? OfKind(comparisons, v1::COMPARISON_KIND_CONTROL) : subjects;
}

// The check that belongs to a comparison: same baseline, same cell. -1 when there is none.
int FindCheck(const std::vector<const CellComparison*>& checks, const CellComparison& comparison) {
  for (size_t i = 0; i < checks.size(); ++i) {
    if (checks[i]->baseline == comparison.baseline && checks[i]->cell == comparison.cell) {
      return static_cast<int>(i);
    }
  }
  return -1;
}

std::vector<stats::HolmTest> TestFamily(const std::vector<const CellComparison*>& family,
                                        v1::Pairing pairing) {
  std::vector<double> p_values;
  for (const CellComparison* comparison : family) {
    p_values.push_back(PValue(comparison->Scores(pairing)));
  }
  auto tests = stats::Holm(p_values, kDifferenceAlpha);
  return tests.ok() ? *std::move(tests) : std::vector<stats::HolmTest>(family.size());
}

void AddChecks(const RunData& data, const Comparisons& comparisons,
               const std::vector<v1::ControlResult>& controls, const CellComparison& comparison,
               v1::ReportComparison* report) {
  const auto control_arms = OfKind(comparisons, v1::COMPARISON_KIND_CONTROL);
  const auto delay_arms = OfKind(comparisons, v1::COMPARISON_KIND_KNOWN_DELAY);
  const int control = FindCheck(control_arms, comparison);
  const int delay = FindCheck(delay_arms, comparison);
  if (control >= 0) {
    *report->mutable_control() = controls[static_cast<size_t>(control)];
  } else {
    report->mutable_control()->set_status(v1::CHECK_STATUS_NOT_RUN);
    report->mutable_control()->set_text("the run has no control arm");
  }
  *report->mutable_smallest_visible() =
      FindSmallestVisible(control >= 0 ? control_arms[static_cast<size_t>(control)] : nullptr,
                          data.plan.pairing(), report->baseline_median_ns());
  *report->mutable_known_delay() =
      JudgeKnownDelay(delay >= 0 ? delay_arms[static_cast<size_t>(delay)] : nullptr, data.plan);
}

void CompareAll(const RunData& data, const Comparisons& comparisons, double tick_ns,
                v1::Report* report) {
  const std::vector<const CellComparison*> reported = Reported(comparisons);
  const std::vector<v1::ControlResult> controls =
      TestControls(OfKind(comparisons, v1::COMPARISON_KIND_CONTROL), data);
  const std::vector<stats::HolmTest> tests = TestFamily(reported, data.plan.pairing());
  for (size_t i = 0; i < reported.size(); ++i) {
    const CellComparison& comparison = *reported[i];
    const CarryOverFinding carry_over = FindCarryOver(comparison, data.plan);
    v1::ReportComparison* target = report->add_comparisons();
    *target = MakeNumbers(data, comparison);
    *target->mutable_carry_over() = carry_over.report;
    AddChecks(data, comparisons, controls, comparison, target);
    Judge({data, comparison, carry_over, tests[i], reported.size(), tick_ns,
           report->refusals_size() > 0},
          target);
    target->set_sentence(MakeSentence(*target, *report, reported.size()));
  }
}

std::string NameComparison(const v1::ReportComparison& comparison) {
  return absl::StrCat("'", comparison.baseline(), "' / '", comparison.candidate(), "'",
                      comparison.has_cell() ? ", " : "", comparison.cell());
}

// Successive rounds that depend on each other break every method; random order cannot cure it.
void WarnOfDependentRounds(const Comparisons& comparisons, v1::Report* report) {
  for (const CellComparison* comparison : Reported(comparisons)) {
    const std::vector<double> scores = comparison->LogRatios();
    const auto autocorrelation = stats::Lag1Autocorrelation(scores);
    const double limit = 2 / std::sqrt(static_cast<double>(scores.size()));
    if (!autocorrelation.ok() || std::abs(*autocorrelation) <= limit) continue;
    report->add_warnings(absl::StrFormat(
        "successive rounds of '%s' / '%s' depend on each other: autocorrelation %.2f, limit %.2f",
        comparison->planned->baseline(), comparison->planned->candidate(), *autocorrelation,
        limit));
  }
}

void AddWarnings(const RunData& data, const Comparisons& comparisons, double tick_ns,
                 v1::Report* report) {
  for (const v1::ReportComparison& comparison : report->comparisons()) {
    const std::string name = NameComparison(comparison);
    if (comparison.known_delay().status() == v1::CHECK_STATUS_WARNED) {
      report->add_warnings(absl::StrCat(name, ": ", comparison.known_delay().text()));
    }
    if (comparison.carry_over().status() == v1::CHECK_STATUS_WARNED) {
      report->add_warnings(absl::StrCat(name, ": ", comparison.carry_over().text()));
    }
    if (comparison.placement().status() == v1::CHECK_STATUS_WARNED) {
      report->add_warnings(absl::StrCat(name, ": ", comparison.placement().text()));
    }
    const auto& flags = comparison.flags();
    if (std::find(flags.begin(), flags.end(), "odd-process") != flags.end()) {
      report->add_warnings(
          absl::StrCat(name, ": one process or more is far from the others; compare the ",
                       "Hodges-Lehmann estimate"));
    }
    if (comparison.order_effect().is_confounded() && comparison.refusals().empty()) {
      report->add_warnings(absl::StrCat(
          name, ": the order is the one under study, its bias is part of the estimate"));
    }
  }
  for (const v1::RoundTrips& entry : report->round_trips()) {
    if (entry.status() != v1::CHECK_STATUS_WARNED) continue;
    report->add_warnings(absl::StrCat("'", entry.arm(), "' through '", entry.service(), "'",
                                      entry.has_cell() ? ", " : "", entry.cell(), ": ",
                                      entry.text()));
  }
  if (data.plan.pairing() == v1::PAIRING_ROUNDS) WarnOfDependentRounds(comparisons, report);
  if (tick_ns == 0 && report->trials_counted() > 0) {
    report->add_warnings("no process reported its clock's tick: resolution was not checked");
  }
}

// Row 15: regression > refused > inconclusive > the rest.
int Severity(v1::Verdict verdict) {
  switch (verdict) {
    case v1::VERDICT_REGRESSION:
    case v1::VERDICT_SLOWER:
      return 3;
    case v1::VERDICT_REFUSED:
      return 2;
    case v1::VERDICT_INCONCLUSIVE:
      return 1;
    default:
      return 0;
  }
}

v1::Verdict WorstVerdict(const v1::Report& report) {
  if (report.refusals_size() > 0) return v1::VERDICT_REFUSED;
  v1::Verdict worst = v1::VERDICT_UNSPECIFIED;
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    if (worst == v1::VERDICT_UNSPECIFIED || Severity(comparison.verdict()) > Severity(worst)) {
      worst = comparison.verdict();
    }
  }
  return worst == v1::VERDICT_UNSPECIFIED ? v1::VERDICT_INCONCLUSIVE : worst;
}

int ExitCode(v1::Verdict verdict, v1::Purpose purpose) {
  constexpr int kRegression = 1;
  constexpr int kInconclusive = 2;
  constexpr int kRefused = 3;
  if (verdict == v1::VERDICT_REFUSED) return kRefused;
  if (purpose != v1::PURPOSE_GATE) return 0;
  if (verdict == v1::VERDICT_REGRESSION) return kRegression;
  return verdict == v1::VERDICT_INCONCLUSIVE ? kInconclusive : 0;
}

}  // namespace

absl::StatusOr<v1::Report> Analyse(const RunData& data) {
  ASSIGN_OR_RETURN(const Rounds rounds, ReadRounds(data));
  ASSIGN_OR_RETURN(const Comparisons comparisons, MakeComparisons(data.plan, rounds));
  v1::Report report;
  DescribeRun(data, rounds, &report);
  for (v1::MachineCheck& check : AggregateMachineChecks(data)) {
    *report.add_machine_checks() = std::move(check);
  }
  ASSIGN_OR_RETURN(const Integrity integrity, CheckIntegrity(data, rounds, comparisons));
  report.mutable_integrity()->Add(integrity.checks.begin(), integrity.checks.end());
  report.mutable_refusals()->Add(integrity.refusals.begin(), integrity.refusals.end());
  report.mutable_warnings()->Add(integrity.warnings.begin(), integrity.warnings.end());
  const double tick_ns = LargestTickNs(data.plan, rounds);
  CompareAll(data, comparisons, tick_ns, &report);
  ASSIGN_OR_RETURN(std::vector<v1::RoundTrips> round_trips,
                   FindRoundTrips(data, rounds, comparisons, report.refusals_size() > 0));
  for (v1::RoundTrips& entry : round_trips) *report.add_round_trips() = std::move(entry);
  AddWarnings(data, comparisons, tick_ns, &report);
  report.set_verdict(WorstVerdict(report));
  report.set_exit_code(ExitCode(report.verdict(), report.purpose()));
  return report;
}

}  // namespace tare::coordinator
