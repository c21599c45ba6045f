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
#include "coordinator/analysis/decide.h"
#include "coordinator/analysis/decision_scan.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/integrity.h"
#include "coordinator/analysis/judge.h"
#include "coordinator/analysis/known_delay.h"
#include "coordinator/analysis/ladder.h"
#include "coordinator/analysis/levels.h"
#include "coordinator/analysis/look.h"
#include "coordinator/analysis/machine_checks.h"
#include "coordinator/analysis/metrics.h"
#include "coordinator/analysis/numbers.h"
#include "coordinator/analysis/round_spread.h"
#include "coordinator/analysis/round_trips.h"
#include "coordinator/analysis/rounds.h"
#include "coordinator/analysis/run_facts.h"
#include "coordinator/analysis/sentence.h"
#include "coordinator/analysis/units.h"
#include "coordinator/analysis/warm_up.h"
#include "coordinator/analysis/work_count.h"
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

// The check that belongs to a comparison: same baseline, cell and metric. Null when there is none.
const MetricComparison* FindCheck(const std::vector<MetricComparison>& checks,
                                  const MetricComparison& measured) {
  for (const MetricComparison& check : checks) {
    if (check.comparison->baseline == measured.comparison->baseline &&
        check.comparison->cell == measured.comparison->cell && check.metric == measured.metric) {
      return &check;
    }
  }
  return nullptr;
}

// Everything that is compared, and the arms whose answer is known.
struct Family {
  std::vector<MetricComparison> subjects;
  std::vector<MetricComparison> controls;
  std::vector<MetricComparison> delays;
};

Family MeasureFamily(const RunData& data, const Comparisons& comparisons) {
  return {MeasureMetrics(data, Reported(comparisons)),
          MeasureMetrics(data, OfKind(comparisons, v1::COMPARISON_KIND_CONTROL)),
          MeasureMetrics(data, OfKind(comparisons, v1::COMPARISON_KIND_KNOWN_DELAY))};
}

void AddChecks(const RunData& data, const Family& family,
               const std::vector<v1::ControlResult>& controls, const MetricComparison& measured,
               v1::ReportComparison* report) {
  const MetricComparison* control = FindCheck(family.controls, measured);
  const MetricComparison* delay = FindCheck(family.delays, measured);
  if (control != nullptr) {
    *report->mutable_control() = controls[static_cast<size_t>(control - family.controls.data())];
  } else {
    report->mutable_control()->set_status(v1::CHECK_STATUS_NOT_RUN);
    report->mutable_control()->set_text("the run has no control arm");
  }
  const bool is_latency = measured.metric == v1::METRIC_LATENCY;
  *report->mutable_smallest_visible() =
      FindSmallestVisible(control, data.plan.pairing(),
                          is_latency ? report->baseline_median_ns() : report->baseline_value());
  *report->mutable_known_delay() =
      JudgeKnownDelay(delay != nullptr && is_latency ? delay->comparison : nullptr, data.plan,
                      data.experiment.has_threshold());
}

void CompareAll(const RunData& data, const Family& family, double tick_ns, v1::Report* report) {
  const std::vector<v1::ControlResult> controls = TestControls(family.controls, data);
  const Look look = LookAt(data, report->rounds_counted(), family.subjects.size());
  const std::vector<Decision> decisions = DecideAll(family.subjects, data, look);
  for (size_t i = 0; i < family.subjects.size(); ++i) {
    const MetricComparison& measured = family.subjects[i];
    const CarryOverFinding carry_over = FindCarryOver(measured, data.plan);
    v1::ReportComparison* target = report->add_comparisons();
    *target = MakeNumbers(data, measured);
    *target->mutable_carry_over() = carry_over.report;
    if (look.kind != LookKind::kFixed) SetRepeatedInterval(measured, look, target);
    AddChecks(data, family, controls, measured, target);
    Judge({data, measured, carry_over, decisions[i], look,
           FindSteadiness(report->warm_up_tables(), *target), tick_ns, report->refusals_size() > 0},
          target);
    target->set_sentence(MakeSentence(*target, *report, family.subjects.size()));
  }
  if (look.kind != LookKind::kFixed) *report->mutable_stop() = DescribeLook(look, *report);
}

// What designs by rounds tell beside their comparisons.
void DescribeRounds(const RunData& data, const Rounds& rounds, const Comparisons& comparisons,
                    v1::Report* report) {
  for (v1::WarmUpTable& table : MakeWarmUpTables(data, rounds, comparisons)) {
    *report->add_warm_up_tables() = std::move(table);
  }
  *report->add_integrity() = CheckSteadiness(report->warm_up_tables());
  for (v1::RoundSpread& spread : MakeRoundSpreads(data, comparisons)) {
    *report->add_round_spreads() = std::move(spread);
  }
  for (v1::DecisionScan& scan : MakeDecisionScans(data, comparisons)) {
    *report->add_decision_scans() = std::move(scan);
  }
}

// "'a' / 'b', p95, plans=40"; latency goes without saying.
std::string NameComparison(const v1::ReportComparison& comparison) {
  const bool is_latency = comparison.metric() == "latency" || comparison.metric() == "wall";
  return absl::StrCat("'", comparison.baseline(), "' / '", comparison.candidate(), "'",
                      is_latency ? "" : ", ", is_latency ? "" : comparison.metric(),
                      comparison.has_cell() ? ", " : "", comparison.cell());
}

// Successive rounds that depend on each other break every method; random order cannot cure it.
void WarnOfDependentRounds(const Family& family, v1::Report* report) {
  for (size_t i = 0; i < family.subjects.size(); ++i) {
    const std::vector<double>& scores = family.subjects[i].log_ratios;
    const auto autocorrelation = stats::Lag1Autocorrelation(scores);
    const double limit = 2 / std::sqrt(static_cast<double>(scores.size()));
    if (!autocorrelation.ok() || std::abs(*autocorrelation) <= limit) continue;
    report->add_warnings(absl::StrFormat(
        "successive rounds of %s depend on each other: autocorrelation %.2f, limit %.2f",
        NameComparison(report->comparisons(static_cast<int>(i))), *autocorrelation, limit));
  }
}

void AddWarnings(const RunData& data, const Family& family, double tick_ns, v1::Report* report) {
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
  if (data.plan.pairing() == v1::PAIRING_ROUNDS) WarnOfDependentRounds(family, report);
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
  if (report.has_ladder()) return v1::VERDICT_STATED;
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
  ASSIGN_OR_RETURN(Comparisons comparisons, MakeComparisons(data.plan, rounds));
  AssignLevels(data.experiment.design().scope(), comparisons);
  v1::Report report;
  DescribeRun(data, rounds, &report);
  for (v1::MachineCheck& check : AggregateMachineChecks(data)) {
    *report.add_machine_checks() = std::move(check);
  }
  ASSIGN_OR_RETURN(const Integrity integrity, CheckIntegrity(data, rounds, comparisons));
  report.mutable_integrity()->Add(integrity.checks.begin(), integrity.checks.end());
  report.mutable_refusals()->Add(integrity.refusals.begin(), integrity.refusals.end());
  report.mutable_warnings()->Add(integrity.warnings.begin(), integrity.warnings.end());
  DescribeRounds(data, rounds, comparisons, &report);
  const double tick_ns = LargestTickNs(data.plan, rounds);
  if (data.experiment.has_threshold()) *report.mutable_threshold() = data.experiment.threshold();
  const bool is_ladder = data.plan.rounds_per_pass() > 0;
  const Family family = is_ladder ? Family() : MeasureFamily(data, comparisons);
  if (is_ladder) {
    ASSIGN_OR_RETURN(LadderResult ladder, MeasureLadder(data, rounds, comparisons));
    *report.mutable_ladder() = std::move(ladder.report);
    report.mutable_refusals()->Add(ladder.refusals.begin(), ladder.refusals.end());
  } else {
    CompareAll(data, family, tick_ns, &report);
  }
  for (v1::WorkCount& count : CountWork(data.plan, rounds)) *report.add_work() = std::move(count);
  ASSIGN_OR_RETURN(std::vector<v1::RoundTrips> round_trips,
                   FindRoundTrips(data, rounds, comparisons, report.refusals_size() > 0));
  for (v1::RoundTrips& entry : round_trips) *report.add_round_trips() = std::move(entry);
  AddWarnings(data, family, tick_ns, &report);
  report.set_verdict(WorstVerdict(report));
  report.set_exit_code(ExitCode(report.verdict(), report.purpose()));
  return report;
}

}  // namespace tare::coordinator
