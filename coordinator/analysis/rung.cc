#include "coordinator/analysis/rung.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/known_delay.h"
#include "stats/block_interval.h"
#include "stats/correlation.h"
#include "stats/moments.h"
#include "stats/resampled_median.h"
#include "stats/share.h"

namespace tare::coordinator {
namespace {

// Of the medians that give a process an interval of its own.
constexpr size_t kBlocksPerProcess = 10;

bool Contains(const v1::Estimate& estimate, double value_ns) {
  return estimate.low_ns() <= value_ns && value_ns <= estimate.high_ns();
}

// The process's own interval, from the medians of successive blocks of its set differences.
std::optional<stats::Interval> OwnInterval(const Unit& unit) {
  const auto interval =
      stats::BlockInterval(unit.set_differences_ns, kBlocksPerProcess, kConfidence);
  return interval.ok() ? std::optional(*interval) : std::nullopt;
}

void AddMedians(const CellComparison& comparison, v1::Rung* rung) {
  std::vector<double> plain;
  std::vector<double> delayed;
  for (const Unit& unit : comparison.units) {
    plain.push_back(unit.baseline_ns);
    delayed.push_back(unit.candidate_ns);
  }
  if (plain.empty()) return;
  rung->set_plain_ns(stats::Mean(plain).value_or(0));
  rung->set_delayed_ns(stats::Mean(delayed).value_or(0));
  if (const auto correlation = stats::Correlation(plain, delayed); correlation.ok()) {
    rung->set_correlation(*correlation);
  }
}

void CountSeeing(const CellComparison& comparison, v1::Rung* rung) {
  int32_t seeing = 0;
  for (const Unit& unit : comparison.units) {
    const std::optional<stats::Interval> own = OwnInterval(unit);
    seeing += own.has_value() && own->low > 0;
  }
  rung->set_processes_seeing(seeing);
  const auto low =
      stats::ShareLowerLimit(static_cast<size_t>(seeing), comparison.units.size(), kConfidence);
  if (low.ok()) rung->set_seeing_share_low(*low);
}

// All pairs of all processes at once: what a tool says that takes every pair for independent.
void AddPooled(const CellComparison& comparison, v1::Rung* rung) {
  std::vector<double> pooled;
  for (const Unit& unit : comparison.units) {
    pooled.insert(pooled.end(), unit.set_differences_ns.begin(), unit.set_differences_ns.end());
  }
  std::sort(pooled.begin(), pooled.end());
  const auto interval = stats::ResampledMedianInterval(pooled, kConfidence);
  if (!interval.ok()) return;
  v1::Estimate* estimate = rung->mutable_pooled();
  estimate->set_value_ns(interval->value);
  estimate->set_low_ns(interval->low);
  estimate->set_high_ns(interval->high);
  estimate->set_confidence(kConfidence);
  rung->set_is_contained_in_pooled(Contains(*estimate, rung->applied_ns()));
}

// A plain process against a delayed other one: what two separate measurements would have said.
void AddSeparate(const CellComparison& comparison, v1::Rung* rung) {
  std::vector<double> differences;
  for (const Unit& plain : comparison.units) {
    for (const Unit& delayed : comparison.units) {
      if (&plain != &delayed) differences.push_back(delayed.candidate_ns - plain.baseline_ns);
    }
  }
  if (differences.empty()) return;
  const auto [low, high] = std::minmax_element(differences.begin(), differences.end());
  const auto positive = std::count_if(differences.begin(), differences.end(),
                                      [](double difference) { return difference > 0; });
  rung->set_separate_low_ns(*low);
  rung->set_separate_high_ns(*high);
  rung->set_separate_pairs(static_cast<int32_t>(differences.size()));
  rung->set_separate_positive_share(static_cast<double>(positive) /
                                    static_cast<double>(differences.size()));
}

double MeanAppliedNs(const CellComparison& comparison) {
  std::vector<double> applied;
  for (const RungPoint& point : PointsOf(comparison)) applied.push_back(point.applied_ns);
  return stats::Mean(applied).value_or(0);
}

}  // namespace

std::vector<RungPoint> PointsOf(const CellComparison& comparison) {
  std::vector<RungPoint> points;
  for (const Unit& unit : comparison.units) {
    points.push_back({unit.round,
                      AppliedMedianNs(unit.candidate_trial->samples, comparison.candidate),
                      unit.difference_ns});
  }
  return points;
}

v1::Rung DescribeRung(const CellComparison& comparison) {
  v1::Rung rung;
  rung.set_asked_ns(comparison.cell->delay_ns());
  rung.set_processes(static_cast<int32_t>(comparison.units.size()));
  if (comparison.units.empty()) return rung;
  rung.set_applied_ns(MeanAppliedNs(comparison));
  const std::vector<double> differences = comparison.Differences();
  rung.mutable_process_estimates_ns()->Add(differences.begin(), differences.end());
  *rung.mutable_estimate() = MakeEstimate(differences, kConfidence);
  if (rung.estimate().has_low_ns()) {
    rung.set_is_seen(rung.estimate().low_ns() > 0);
    rung.set_is_contained(Contains(rung.estimate(), rung.applied_ns()));
  }
  AddMedians(comparison, &rung);
  CountSeeing(comparison, &rung);
  std::vector<double> carry_overs;
  for (const Unit& unit : comparison.units) {
    if (unit.carry_over_ns.has_value()) carry_overs.push_back(*unit.carry_over_ns);
  }
  *rung.mutable_carry_over() = MakeEstimate(carry_overs, kConfidence);
  AddPooled(comparison, &rung);
  AddSeparate(comparison, &rung);
  return rung;
}

v1::StudiedRung DescribeStudiedRung(const CellComparison& comparison) {
  v1::StudiedRung rung;
  rung.set_processes(static_cast<int32_t>(comparison.units.size()));
  if (comparison.units.empty()) return rung;
  const double applied_ns = MeanAppliedNs(comparison);
  *rung.mutable_estimate() = MakeEstimate(comparison.Differences(), kConfidence);
  if (rung.estimate().has_low_ns()) rung.set_is_contained(Contains(rung.estimate(), applied_ns));
  int32_t wrong = 0;
  for (const Unit& unit : comparison.units) {
    const std::optional<stats::Interval> own = OwnInterval(unit);
    wrong += own.has_value() && (own->low > applied_ns || own->high < applied_ns);
  }
  rung.set_processes_wrong(wrong);
  return rung;
}

}  // namespace tare::coordinator
