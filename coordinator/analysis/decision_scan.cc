#include "coordinator/analysis/decision_scan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "base/random.h"
#include "coordinator/analysis/course.h"
#include "coordinator/analysis/metrics.h"
#include "coordinator/analysis/text.h"
#include "stats/decision_scan.h"

namespace tare::coordinator {
namespace {

constexpr size_t kSubsets = 500;
// Numbers of rounds that people choose; fewer give no verdict.
constexpr size_t kScannedRounds[] = {5, 8, 12, 20, 30, 50, 100};
constexpr double kScannedThresholds[] = {0.02, 0.05, 0.10, 0.20};
constexpr double kPpm = 1e6;

const CellComparison* FindControl(std::span<const CellComparison> comparisons,
                                  const CellComparison& subject) {
  for (const CellComparison& comparison : comparisons) {
    if (comparison.planned->kind() == v1::COMPARISON_KIND_CONTROL &&
        comparison.baseline == subject.baseline && comparison.cell == subject.cell &&
        comparison.units.size() == subject.units.size()) {
      return &comparison;
    }
  }
  return nullptr;
}

// Around the threshold of the experiment, where it has a relative one.
std::vector<double> ThresholdsOf(const v1::Experiment& experiment) {
  std::vector<double> thresholds(std::begin(kScannedThresholds), std::end(kScannedThresholds));
  if (!experiment.threshold().has_relative_ppm()) return thresholds;
  const double relative = static_cast<double>(experiment.threshold().relative_ppm()) / kPpm;
  return {relative / 2, relative, 2 * relative, 4 * relative};
}

stats::ScanWindow WindowOf(const v1::Plan& plan, const CellComparison& subject,
                           const CellComparison& control, v1::Metric metric, Window window) {
  return {ValuesByRound(plan, subject, Side::kBaseline, metric, window),
          ValuesByRound(plan, control, Side::kCandidate, metric, window),
          ValuesByRound(plan, subject, Side::kCandidate, metric, window)};
}

// False when the window cannot be scanned.
bool AddRow(const stats::ScanWindow& window, size_t rounds, int32_t skipped, Random* random,
            v1::DecisionScan* scan) {
  v1::DecisionScanRow row;
  row.set_skipped_samples(skipped);
  row.set_rounds(static_cast<int32_t>(rounds));
  for (double threshold : scan->thresholds()) {
    const auto cell =
        stats::ScanDecisions(window, {rounds, threshold, stats::DecideByGate, kSubsets},
                             [random] { return random->Uniform(); });
    if (!cell.ok()) return false;
    row.set_independent(static_cast<int32_t>(cell->independent_decisions));
    v1::DecisionScanCell* target = row.add_cells();
    target->set_false_fails(static_cast<int32_t>(cell->false_fails.count));
    target->set_false_passes(static_cast<int32_t>(cell->false_passes.count));
    target->set_false_fail_rate_max(cell->false_fails.rate_high);
    target->set_false_pass_rate_max(cell->false_passes.rate_high);
  }
  *scan->add_rows() = std::move(row);
  return true;
}

// Subsets of fewer rounds than there are; of all of them there is one, and the verdict tells it.
// With the warm-up only the largest, to show what leaving it out is worth.
void AddRows(const RunData& data, const CellComparison& subject, const CellComparison& control,
             v1::Metric metric, v1::DecisionScan* scan) {
  const v1::Plan& plan = data.plan;
  Random random(plan.seed());
  const stats::ScanWindow behind = WindowOf(plan, subject, control, metric, Window::kBehindWarmUp);
  size_t largest = 0;
  for (size_t rounds : kScannedRounds) {
    if (rounds >= behind.baseline.size()) break;
    if (AddRow(behind, rounds, plan.warmup_sets(), &random, scan)) largest = rounds;
  }
  if (plan.warmup_sets() == 0 || largest == 0) return;
  const stats::ScanWindow all = WindowOf(plan, subject, control, metric, Window::kAll);
  AddRow(all, largest, 0, &random, scan);
}

}  // namespace

std::vector<v1::DecisionScan> MakeDecisionScans(const RunData& data,
                                                std::span<const CellComparison> comparisons) {
  std::vector<v1::DecisionScan> scans;
  if (data.plan.pairing() != v1::PAIRING_ROUNDS || !data.is_final) return scans;
  for (v1::Metric metric : MetricsToReport(data.experiment)) {
    for (const CellComparison& subject : comparisons) {
      if (subject.planned->kind() != v1::COMPARISON_KIND_SUBJECT) continue;
      const CellComparison* control = FindControl(comparisons, subject);
      if (control == nullptr) continue;
      v1::DecisionScan scan;
      scan.set_metric(NameMetric(data.experiment, metric));
      if (subject.cell->levels_size() > 0) scan.set_cell(NameCell(*subject.cell));
      scan.set_baseline(subject.planned->baseline());
      scan.set_control(control->planned->candidate());
      scan.set_candidate(subject.planned->candidate());
      scan.set_seed(data.plan.seed());
      scan.set_subsets(static_cast<int32_t>(kSubsets));
      scan.set_rounds(static_cast<int32_t>(subject.units.size()));
      for (double threshold : ThresholdsOf(data.experiment)) scan.add_thresholds(threshold);
      AddRows(data, subject, *control, metric, &scan);
      if (scan.rows_size() > 0) scans.push_back(std::move(scan));
    }
  }
  return scans;
}

}  // namespace tare::coordinator
