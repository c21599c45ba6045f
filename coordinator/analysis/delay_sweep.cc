#include "coordinator/analysis/delay_sweep.h"

#include <algorithm>
#include <optional>

#include "base/status.h"
#include "coordinator/analysis/proxies.h"
#include "coordinator/analysis/text.h"
#include "stats/grouped_median.h"

namespace tare::coordinator {
namespace {

// The levels of all factors but one.
std::string NameOtherLevels(const v1::Cell& cell, absl::string_view factor) {
  v1::Cell others;
  for (const v1::ConfigValue& level : cell.levels()) {
    if (level.name() != factor) *others.add_levels() = level;
  }
  return NameCell(others);
}

bool HasFactor(const v1::Plan& plan, absl::string_view factor) {
  if (plan.cells().empty()) return false;
  const auto& levels = plan.cells(0).levels();
  return std::any_of(levels.begin(), levels.end(),
                     [&](const v1::ConfigValue& level) { return level.name() == factor; });
}

absl::Status AddSweeps(const v1::Service& proxy, const v1::Plan& plan,
                       std::vector<DelaySweep>* sweeps) {
  const size_t first = sweeps->size();
  const std::string factor = DelayFactorOf(proxy);
  for (const v1::Cell& cell : plan.cells()) {
    ASSIGN_OR_RETURN(const int64_t delay_ns, AskedDelayNs(proxy, cell));
    const std::string others = NameOtherLevels(cell, factor);
    auto sweep =
        std::find_if(sweeps->begin() + static_cast<std::ptrdiff_t>(first), sweeps->end(),
                     [&](const DelaySweep& known) { return known.other_levels == others; });
    if (sweep == sweeps->end()) sweep = sweeps->insert(sweep, {&proxy, others, {}});
    sweep->levels.push_back({delay_ns * DelaysPerRoundTrip(proxy), &cell});
  }
  for (size_t i = first; i < sweeps->size(); ++i) {
    std::vector<DelayLevel>& levels = (*sweeps)[i].levels;
    std::sort(levels.begin(), levels.end(),
              [](const DelayLevel& a, const DelayLevel& b) { return a.asked_ns < b.asked_ns; });
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<DelaySweep>> FindDelaySweeps(const RunData& data) {
  std::vector<DelaySweep> sweeps;
  for (const v1::Service* proxy : ProxiesOf(data.experiment)) {
    if (!HasFactor(data.plan, DelayFactorOf(*proxy))) continue;
    RETURN_IF_ERROR(AddSweeps(*proxy, data.plan, &sweeps));
  }
  return sweeps;
}

absl::StatusOr<DelayPoints> MeasureDelays(const DelaySweep& sweep, uint32_t arm,
                                          const v1::Plan& plan, const Rounds& rounds,
                                          double tick_ns) {
  DelayPoints points;
  for (const UsedTrial& trial : rounds.trials) {
    const auto level =
        std::find_if(sweep.levels.begin(), sweep.levels.end(),
                     [&](const DelayLevel& l) { return l.cell->cell() == trial.planned->cell(); });
    std::vector<double> values;
    for (size_t i : trial.samples.IndicesOf(arm)) values.push_back(trial.samples.values_ns[i]);
    if (level == sweep.levels.end() || values.empty()) continue;
    points.trials.push_back(&trial);
    const std::optional<double> applied_ns = AppliedRoundTripNs(trial, *sweep.proxy);
    if (!applied_ns.has_value()) {
      if (points.unrecorded.empty()) points.unrecorded = NameTrial(plan, *trial.planned);
      continue;
    }
    DelayPoint point;
    point.level = static_cast<size_t>(level - sweep.levels.begin());
    point.applied_ns = *applied_ns;
    ASSIGN_OR_RETURN(point.latency_ns, stats::GroupedMedian(values, tick_ns));
    points.replicates[trial.planned->round()].push_back(point);
  }
  return points;
}

}  // namespace tare::coordinator
