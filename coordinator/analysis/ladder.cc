#include "coordinator/analysis/ladder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/finding.h"
#include "coordinator/analysis/known_delay.h"
#include "coordinator/analysis/rung.h"
#include "coordinator/analysis/text.h"
#include "stats/line.h"
#include "stats/moments.h"
#include "stats/smallest_visible.h"
#include "stats/t_interval.h"
#include "stats/visible_from_ladder.h"

namespace tare::coordinator {
namespace {

constexpr double kTestConfidence = 0.99;
constexpr double kPower = 0.80;
constexpr double kPowerHigh = 0.95;

using Rungs = std::span<const CellComparison>;

// The points of one replicate, in the order of rungs.
struct Replicate {
  std::vector<double> applied_ns;
  std::vector<double> differences_ns;
  // Of the rungs whose processes have one.
  std::vector<double> carry_over_delays_ns;
  std::vector<double> carry_overs_ns;
};

std::map<int32_t, Replicate> ReplicatesOf(Rungs rungs) {
  std::map<int32_t, Replicate> replicates;
  for (const CellComparison& rung : rungs) {
    const std::vector<RungPoint> points = PointsOf(rung);
    for (size_t i = 0; i < points.size(); ++i) {
      Replicate& replicate = replicates[points[i].round];
      replicate.applied_ns.push_back(points[i].applied_ns);
      replicate.differences_ns.push_back(points[i].difference_ns);
      if (!rung.units[i].carry_over_ns.has_value()) continue;
      replicate.carry_over_delays_ns.push_back(points[i].applied_ns);
      replicate.carry_overs_ns.push_back(*rung.units[i].carry_over_ns);
    }
  }
  return replicates;
}

void AddSlope(const std::map<int32_t, Replicate>& replicates, int32_t rounds_per_pass,
              v1::LadderReport* report) {
  std::vector<double> slopes;
  std::map<int32_t, std::vector<double>> by_pass;
  for (const auto& [round, replicate] : replicates) {
    const auto line = stats::FitLine(replicate.applied_ns, replicate.differences_ns);
    if (!line.ok()) continue;
    slopes.push_back(line->slope);
    by_pass[round / rounds_per_pass].push_back(line->slope);
  }
  report->mutable_slopes()->Add(slopes.begin(), slopes.end());
  for (const auto& [pass, of_pass] : by_pass) {
    report->add_pass_slopes(stats::Mean(of_pass).value_or(0));
  }
  const auto mean = stats::Mean(slopes);
  if (mean.ok()) report->set_slope(*mean);
  if (slopes.size() < kUnitsForIntervalMin) return;
  const auto interval = stats::TInterval(slopes, kConfidence);
  if (!interval.ok()) return;
  report->set_slope_low(interval->low);
  report->set_slope_high(interval->high);
  report->set_is_slope_one(interval->low <= 1 && 1 <= interval->high);
}

void AddCarryOver(const std::map<int32_t, Replicate>& replicates, v1::LadderReport* report) {
  std::vector<double> slopes;
  for (const auto& [round, replicate] : replicates) {
    const auto slope =
        stats::SlopeThroughOrigin(replicate.carry_over_delays_ns, replicate.carry_overs_ns);
    if (slope.ok()) slopes.push_back(*slope);
  }
  const auto mean = stats::Mean(slopes);
  if (mean.ok()) report->set_carry_over(*mean);
  if (slopes.size() < kUnitsForIntervalMin) return;
  const auto interval = stats::TInterval(slopes, kConfidence);
  if (!interval.ok()) return;
  report->set_carry_over_low(interval->low);
  report->set_carry_over_high(interval->high);
}

v1::SmallestVisible NotRun(absl::string_view why) {
  v1::SmallestVisible result;
  result.set_status(v1::CHECK_STATUS_NOT_RUN);
  result.set_text(std::string(why));
  return result;
}

v1::SmallestVisible MakeVisible(double value_ns, double value_ns_95, double plain_ns) {
  v1::SmallestVisible result;
  result.set_status(v1::CHECK_STATUS_PASSED);
  result.set_value_ns(value_ns);
  result.set_value_ns_95(value_ns_95);
  result.set_power(kPower);
  if (plain_ns > 0) result.set_relative(value_ns / plain_ns);
  return result;
}

v1::SmallestVisible FromControl(const CellComparison& control, double plain_ns) {
  const std::vector<double> differences = control.Differences();
  const auto effect = stats::SmallestVisibleEffect(differences, kPower);
  const auto effect_high = stats::SmallestVisibleEffect(differences, kPowerHigh);
  if (effect.ok() && effect_high.ok()) return MakeVisible(*effect, *effect_high, plain_ns);
  return NotRun(differences.size() < stats::kSmallestVisibleUnitsMin
                    ? absl::StrCat("needs at least ", stats::kSmallestVisibleUnitsMin,
                                   " processes a rung, has ", differences.size())
                    : "the differences of the rung without a delay do not vary");
}

v1::SmallestVisible FromRungs(Rungs rungs, double plain_ns) {
  std::vector<stats::RungSpread> spreads;
  for (const CellComparison& rung : rungs) {
    const auto moments = stats::MomentsOf(rung.Differences());
    if (!moments.ok()) continue;
    spreads.push_back({.delay = static_cast<double>(rung.cell->delay_ns()),
                       .sd = moments->sd,
                       .count = moments->count});
  }
  const auto effect = stats::VisibleFromLadder(spreads, kPower);
  const auto effect_high = stats::VisibleFromLadder(spreads, kPowerHigh);
  if (!effect.ok()) return NotRun(PartsOf(effect.status()).what);
  if (!effect_high.ok()) return NotRun(PartsOf(effect_high.status()).what);
  return MakeVisible(*effect, *effect_high, plain_ns);
}

void AddVisible(Rungs rungs, v1::LadderReport* report) {
  const CellComparison& control = rungs.front();
  const double plain_ns = report->rungs(0).plain_ns();
  *report->mutable_visible() = FromControl(control, plain_ns);
  *report->mutable_visible_from_rungs() = FromRungs(rungs, plain_ns);
  const auto factor = stats::SpreadFactor(control.units.size());
  if (!factor.ok() || !report->visible().has_value_ns() ||
      !report->visible_from_rungs().has_value_ns()) {
    return;
  }
  // Both carry the same factor, so their ratio is that of the spreads.
  const double ratio = report->visible_from_rungs().value_ns() / report->visible().value_ns();
  report->set_is_visible_agreed(std::abs(std::log(ratio)) <= std::log(*factor));
}

absl::Status AddStudied(const RunData& data, const Rounds& rounds, v1::LadderReport* report) {
  for (const int order : data.experiment.study()) {
    ASSIGN_OR_RETURN(const std::vector<CellComparison> rungs,
                     MakeComparisons(data.plan, rounds, static_cast<v1::Order>(order)));
    v1::StudiedOrder* studied = report->add_studied_orders();
    studied->set_order(static_cast<v1::Order>(order));
    for (const CellComparison& rung : rungs) *studied->add_rungs() = DescribeStudiedRung(rung);
  }
  return absl::OkStatus();
}

// Row 3 for every rung.
void RefuseDelays(const RunData& data, Rungs rungs, std::vector<v1::Refusal>* refusals) {
  for (const CellComparison& rung : rungs) {
    const v1::KnownDelayResult delay = JudgeKnownDelay(&rung, data.plan, /*has_threshold=*/false);
    if (delay.status() != v1::CHECK_STATUS_REFUSED) continue;
    refusals->push_back(MakeRefusal(
        "delay-not-applied",
        absl::StrCat("asked ", FormatDuration(delay.asked_ns()), ", applied ",
                     FormatDuration(delay.applied_ns()), ", worst process off by ",
                     FormatDuration(delay.worst_miss_ns())),
        absl::StrCat("off by at most ", FormatDuration(AllowedMissNs(delay.asked_ns()))),
        "make the workload wait as long as it is told"));
    refusals->back().set_where(NameCell(*rung.cell));
  }
}

// Row 17.
void RefuseEnds(Rungs rungs, std::vector<v1::Refusal>* refusals) {
  const v1::Estimate zero = MakeEstimate(rungs.front().Differences(), kTestConfidence);
  if (ExcludesZero(zero)) {
    refusals->push_back(
        MakeRefusal("control-differs",
                    absl::StrCat("without a delay the difference is ", FormatEstimate(zero),
                                 " with 99 % confidence"),
                    "an interval that includes 0",
                    "find what makes two equal arms differ before measuring delays"));
    refusals->back().set_where(NameCell(*rungs.front().cell));
  }
  const v1::Estimate largest = MakeEstimate(rungs.back().Differences(), kTestConfidence);
  if (!largest.has_low_ns() || largest.low_ns() > 0) return;
  refusals->push_back(
      MakeRefusal("known-delay-not-seen",
                  absl::StrCat("the longest delay came out as ", FormatEstimate(largest)),
                  "an interval above 0",
                  "use more processes or sets, or longer delays: this run cannot see them"));
  refusals->back().set_where(NameCell(*rungs.back().cell));
}

void RefuseFewReplicates(int32_t replicates, std::vector<v1::Refusal>* refusals) {
  if (replicates >= static_cast<int32_t>(kUnitsForIntervalMin)) return;
  refusals->push_back(MakeRefusal("too-few-processes", Count(replicates, "process") + " a rung",
                                  absl::StrCat("at least ", kUnitsForIntervalMin),
                                  "set 'processes: 10'"));
}

// "8 of 8 rungs".
std::string RungCount(int32_t count, int rungs) {
  return absl::StrCat(count, " of ", Count(rungs, "rung"));
}

void Conclude(v1::LadderReport* report) {
  if (report->has_slope_low()) {
    report->add_texts(
        absl::StrFormat("A delay comes out as %.4f [%.4f, %.4f] times what was applied%s.",
                        report->slope(), report->slope_low(), report->slope_high(),
                        report->is_slope_one() ? "" : ", which differs from 1"));
  }
  int32_t contained = 0;
  int32_t contained_in_pooled = 0;
  for (const v1::Rung& rung : report->rungs()) {
    contained += rung.is_contained();
    contained_in_pooled += rung.is_contained_in_pooled();
  }
  report->add_texts(absl::StrCat("The interval over processes contains the applied delay at ",
                                 RungCount(contained, report->rungs_size()),
                                 ", the one over pooled pairs at ",
                                 RungCount(contained_in_pooled, report->rungs_size()), "."));
  if (report->visible().has_value_ns()) {
    report->add_texts(absl::StrFormat(
        "With %s a rung a difference of %s is found with 80 %% probability, of %s with 95 %%.",
        Count(report->replicates(), "process"), FormatDuration(report->visible().value_ns()),
        FormatDuration(report->visible().value_ns_95())));
  }
  if (report->has_carry_over_low() &&
      (report->carry_over_low() > 0 || report->carry_over_high() < 0)) {
    report->add_texts(absl::StrFormat(
        "A delayed operation changes the one after it by %.4f [%.4f, %.4f] of its delay.",
        report->carry_over(), report->carry_over_low(), report->carry_over_high()));
  }
}

}  // namespace

absl::StatusOr<LadderResult> MeasureLadder(const RunData& data, const Rounds& rounds,
                                           std::span<const CellComparison> rungs) {
  LadderResult result;
  v1::LadderReport& report = result.report;
  report.set_arm(data.experiment.ladder().arm());
  report.set_at(data.experiment.ladder().at());
  report.set_replicates(rounds.rounds_counted);
  report.set_passes(rounds.rounds_counted / data.plan.rounds_per_pass());
  for (const CellComparison& rung : rungs) *report.add_rungs() = DescribeRung(rung);
  const std::map<int32_t, Replicate> replicates = ReplicatesOf(rungs);
  AddSlope(replicates, data.plan.rounds_per_pass(), &report);
  AddCarryOver(replicates, &report);
  AddVisible(rungs, &report);
  RETURN_IF_ERROR(AddStudied(data, rounds, &report));
  RefuseFewReplicates(report.replicates(), &result.refusals);
  RefuseDelays(data, rungs, &result.refusals);
  RefuseEnds(rungs, &result.refusals);
  Conclude(&report);
  return result;
}

}  // namespace tare::coordinator
