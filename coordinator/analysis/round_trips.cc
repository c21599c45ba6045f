#include "coordinator/analysis/round_trips.h"

#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status.h"
#include "coordinator/analysis/delay_sweep.h"
#include "coordinator/analysis/distance.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/proxy_cost.h"
#include "coordinator/analysis/text.h"
#include "coordinator/analysis/turns.h"
#include "stats/line.h"
#include "stats/moments.h"
#include "stats/t_interval.h"

namespace tare::coordinator {
namespace {

void AddLevels(const DelaySweep& sweep, const DelayPoints& points, v1::RoundTrips* result) {
  for (size_t level = 0; level < sweep.levels.size(); ++level) {
    std::vector<double> applied;
    std::vector<double> latencies;
    for (const auto& [round, replicate] : points.replicates) {
      for (const DelayPoint& point : replicate) {
        if (point.level != level) continue;
        applied.push_back(point.applied_ns);
        latencies.push_back(point.latency_ns);
      }
    }
    v1::RoundTripsLevel* added = result->add_levels();
    added->set_asked_ns(sweep.levels[level].asked_ns);
    added->set_processes(static_cast<int32_t>(latencies.size()));
    if (latencies.empty()) continue;
    added->set_applied_ns(stats::Mean(applied).value_or(0));
    added->set_latency_ns(stats::Mean(latencies).value_or(0));
  }
}

void AddCounts(const Turns& turns, v1::RoundTrips* result) {
  if (turns.turns.has_value()) result->set_turns_per_operation(*turns.turns);
  if (turns.client_writes.has_value())
    result->set_client_writes_per_operation(*turns.client_writes);
  if (turns.postgres_round_trips.has_value()) {
    result->set_postgres_round_trips_per_operation(*turns.postgres_round_trips);
  }
}

// One line a replicate; why not, as a FailedPrecondition, when the slope cannot be had.
absl::StatusOr<std::vector<stats::Line>> FitReplicates(const DelaySweep& sweep,
                                                       const DelayPoints& points) {
  const auto not_run = [](absl::string_view why) {
    return MakeError(absl::StatusCode::kFailedPrecondition, why);
  };
  if (sweep.levels.size() < kDelayLevelsMin) {
    return not_run(absl::StrCat("a slope needs at least ", kDelayLevelsMin, " levels of ",
                                DelayFactorOf(*sweep.proxy), ", the sweep has ",
                                sweep.levels.size()));
  }
  if (!points.unrecorded.empty()) {
    return not_run(
        absl::StrCat("proxy '", sweep.proxy->name(), "' recorded no delay in ", points.unrecorded));
  }
  if (points.replicates.size() < kUnitsForIntervalMin) {
    return not_run(absl::StrCat("a slope needs at least ", kUnitsForIntervalMin,
                                " complete rounds, the run has ", points.replicates.size()));
  }
  std::vector<stats::Line> lines;
  for (const auto& [round, replicate] : points.replicates) {
    std::vector<double> applied;
    std::vector<double> latencies;
    for (const DelayPoint& point : replicate) {
      applied.push_back(point.applied_ns);
      latencies.push_back(point.latency_ns);
    }
    ASSIGN_OR_RETURN(const stats::Line line, stats::FitLine(applied, latencies));
    lines.push_back(line);
  }
  return lines;
}

void AddSlope(const std::vector<stats::Line>& lines, v1::RoundTrips* result) {
  for (const stats::Line& line : lines) result->add_slopes(line.slope);
  const std::vector<double> slopes(result->slopes().begin(), result->slopes().end());
  result->set_slope(stats::Mean(slopes).value_or(0));
  const absl::StatusOr<stats::Interval> interval = stats::TInterval(slopes, kConfidence);
  if (!interval.ok()) return;
  result->set_slope_low(interval->low);
  result->set_slope_high(interval->high);
}

// Sets `established`, or returns why nothing is.
std::string Establish(v1::RoundTrips* result) {
  if (!result->has_slope_low()) return "the slopes of all rounds are equal";
  const std::string interval = absl::StrFormat("the slope's interval [%.3f, %.3f]",
                                               result->slope_low(), result->slope_high());
  if (result->slopes_size() < static_cast<int>(kUnitsForVerdictMin)) {
    return absl::StrCat(interval, " is provisional: ", Count(result->slopes_size(), "round"),
                        " of ", kUnitsForVerdictMin, " that are needed");
  }
  if (result->slope_high() - result->slope_low() >= kSlopeWidthMax) {
    return absl::StrCat(interval, " is not narrower than ", kSlopeWidthMax);
  }
  const double integer = std::ceil(result->slope_low());
  if (integer > result->slope_high() || integer < 0) {
    return absl::StrCat(interval, " holds no number of round trips");
  }
  result->set_established(static_cast<int32_t>(integer));
  return "";
}

std::string SayCounts(const v1::RoundTrips& result, const Turns& turns) {
  if (!turns.turns.has_value()) return "not counted, since no block has the proxy's counters";
  const std::string count = absl::StrFormat("%.3f by counting", result.turns_per_operation());
  if (turns.arms.size() <= 1) return count;
  return absl::StrCat(count, ", an average over '", absl::StrJoin(turns.arms, "', '"),
                      "' which share the process");
}

void Conclude(const Turns& turns, v1::RoundTrips* result) {
  const std::string why_not = Establish(result);
  const std::string counts = SayCounts(*result, turns);
  result->set_status(v1::CHECK_STATUS_WARNED);
  if (!why_not.empty()) {
    result->set_text(absl::StrCat("not established: ", why_not, "; ", counts));
    return;
  }
  const std::string slope = absl::StrCat(Count(result->established(), "round trip"), " by slope");
  const bool is_comparable = turns.turns.has_value() && turns.arms.size() == 1;
  if (!is_comparable) {
    result->set_text(absl::StrCat(slope, "; ", counts));
  } else if (std::abs(*turns.turns - result->established()) > kCountGapMax) {
    result->set_text(absl::StrCat(slope, ", but ", counts));
  } else {
    result->set_status(v1::CHECK_STATUS_PASSED);
    result->set_text(absl::StrCat(slope, ", ", counts));
  }
}

v1::RoundTrips Judge(const RunData& data, const DelaySweep& sweep, uint32_t arm,
                     const DelayPoints& points, bool is_run_refused) {
  v1::RoundTrips result;
  result.set_arm(data.plan.arms(static_cast<int>(arm)).name());
  result.set_service(sweep.proxy->name());
  if (!sweep.other_levels.empty()) result.set_cell(sweep.other_levels);
  AddLevels(sweep, points, &result);
  const Turns turns = CountTurns(data, *sweep.proxy, arm, points.trials);
  AddCounts(turns, &result);
  const absl::StatusOr<std::vector<stats::Line>> lines = FitReplicates(sweep, points);
  if (data.experiment.has_explain_ns()) {
    *result.mutable_distance() = FindDistance(data.experiment.explain_ns(), lines, result.levels());
  }
  if (lines.ok()) AddSlope(*lines, &result);
  if (is_run_refused) {
    result.set_status(v1::CHECK_STATUS_REFUSED);
    result.set_text("refused with the run: do not rely on these numbers");
  } else if (!lines.ok()) {
    result.set_status(v1::CHECK_STATUS_NOT_RUN);
    result.set_text(absl::StrCat(PartsOf(lines.status()).what, "; ", SayCounts(result, turns)));
  } else {
    Conclude(turns, &result);
  }
  return result;
}

}  // namespace

absl::StatusOr<std::vector<v1::RoundTrips>> FindRoundTrips(
    const RunData& data, const Rounds& rounds, std::span<const CellComparison> comparisons,
    bool is_run_refused) {
  ASSIGN_OR_RETURN(const std::vector<DelaySweep> sweeps, FindDelaySweeps(data));
  const double tick_ns = LargestTickNs(data.plan, rounds);
  std::vector<v1::RoundTrips> results;
  for (const DelaySweep& sweep : sweeps) {
    for (int i = 0; i < data.plan.arms_size(); ++i) {
      const v1::PlannedArm& planned = data.plan.arms(i);
      if (planned.kind() != v1::ARM_KIND_SUBJECT ||
          ServiceOf(data.experiment, planned) != sweep.proxy->name()) {
        continue;
      }
      const auto arm = static_cast<uint32_t>(i);
      ASSIGN_OR_RETURN(const DelayPoints points,
                       MeasureDelays(sweep, arm, data.plan, rounds, tick_ns));
      v1::RoundTrips result = Judge(data, sweep, arm, points, is_run_refused);
      std::optional<v1::Estimate> cost = FindProxyCost(data, sweep, arm, comparisons);
      if (cost.has_value()) *result.mutable_proxy_cost() = *std::move(cost);
      results.push_back(std::move(result));
    }
  }
  return results;
}

}  // namespace tare::coordinator
