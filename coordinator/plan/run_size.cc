#include "coordinator/plan/run_size.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "stats/level_counts.h"
#include "stats/smallest_visible.h"

namespace tare::coordinator {
namespace {

constexpr double kPower = 0.8;
constexpr double kPpm = 1e-6;

// In ns, of one comparison.
double WantedNs(const Wanted& wanted, const PilotSpread& spread) {
  if (wanted.absolute_ns.has_value()) return static_cast<double>(*wanted.absolute_ns);
  return static_cast<double>(*wanted.relative_ppm) * kPpm * spread.baseline_ns;
}

// How much larger than estimated the spread may be: a found difference is promised with 80 %
// confidence, an interval is what is to be expected.
double Uncertainty(const Wanted& wanted, const PilotSpread& spread) {
  if (wanted.kind == WantedKind::kHalfWidth) return 1;
  return stats::SpreadFactor(spread.units).value_or(1);
}

double UnitVariance(const Wanted& wanted, const PilotSpread& spread, size_t sets) {
  const double factor = Uncertainty(wanted, spread);
  const double of_sets = spread.set_variance_ns2.value_or(0) / static_cast<double>(sets);
  return factor * factor * (spread.unit_variance_ns2 + of_sets);
}

std::optional<double> SizeNs(const Wanted& wanted, const PilotSpread& spread, size_t units,
                             size_t sets) {
  if (units < kPilotUnitsForIntervalMin) return std::nullopt;
  const double variance = UnitVariance(wanted, spread, sets);
  if (wanted.kind == WantedKind::kHalfWidth) return stats::HalfWidth(variance, units);
  const auto factor = stats::VisibleFactor(units, kPower);
  if (!factor.ok()) return std::nullopt;
  return *factor * std::sqrt(variance);
}

bool IsEnough(std::span<const PilotSpread> spreads, const Wanted& wanted, size_t units,
              size_t sets) {
  return std::all_of(spreads.begin(), spreads.end(), [&](const PilotSpread& spread) {
    const std::optional<double> size = SizeNs(wanted, spread, units, sets);
    return size.has_value() && *size <= WantedNs(wanted, spread);
  });
}

// More than any limit when it is out of reach.
size_t UnitsFor(const Wanted& wanted, const PilotSpread& spread, size_t sets) {
  const double variance = UnitVariance(wanted, spread, sets);
  const double size = WantedNs(wanted, spread);
  const auto units = wanted.kind == WantedKind::kHalfWidth
                         ? stats::CountForHalfWidth(variance, size)
                         : stats::CountForEffect(variance, size, kPower);
  return units.ok() ? *units : std::numeric_limits<size_t>::max();
}

absl::StatusOr<size_t> BestSets(const PilotSpread& spread, const PilotCost& cost) {
  const std::vector<stats::LevelCost> levels = {{*spread.set_variance_ns2, cost.set_ns},
                                                {spread.unit_variance_ns2, cost.unit_ns}};
  ASSIGN_OR_RETURN(const std::vector<size_t> counts, stats::LevelCounts(levels));
  return counts.front();
}

absl::Status CheckPilot(std::span<const PilotSpread> spreads, const PilotCost& cost,
                        const Wanted& wanted) {
  if (spreads.empty() || wanted.relative_ppm.has_value() == wanted.absolute_ns.has_value()) {
    return MakeError(absl::StatusCode::kInvalidArgument, "nothing to plan for");
  }
  if (!(cost.unit_ns > 0 && cost.set_ns > 0)) {
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("the pilot tells no costs: ", cost.unit_ns, " ns a process and ",
                                  cost.set_ns, " ns a set"));
  }
  const bool is_effect = wanted.kind == WantedKind::kEffect;
  const size_t units_min = is_effect ? kPilotUnitsMin : kPilotUnitsForIntervalMin;
  for (const PilotSpread& spread : spreads) {
    if (spread.units < units_min) {
      return MakeError(absl::StatusCode::kFailedPrecondition,
                       absl::StrCat("the pilot is too small: ", spread.units, " units of ",
                                    spread.comparison, ", needed: ", units_min))
          .Detail(is_effect ? "with fewer the smallest visible difference is uncertain by a factor "
                              "of two"
                            : "the spread between units needs three of them")
          .Try("run the experiment with at least 8 processes or rounds first");
    }
    if (WantedNs(wanted, spread) > 0) continue;
    return MakeError(absl::StatusCode::kInvalidArgument,
                     absl::StrCat("a share of the baseline is no size for ", spread.comparison))
        .Detail("its median is not above zero in the pilot")
        .Try("give a duration, such as 20us");
  }
  return absl::OkStatus();
}

// The fewest sets, from the least that is useful, with which so many units are still enough.
size_t Trim(std::span<const PilotSpread> spreads, const Wanted& wanted, size_t units, size_t sets) {
  size_t too_few = stats::kSamplesCountMin - 1;
  while (sets - too_few > 1) {
    const size_t middle = too_few + (sets - too_few) / 2;
    (IsEnough(spreads, wanted, units, middle) ? sets : too_few) = middle;
  }
  return sets;
}

}  // namespace

RunSize Expect(std::span<const PilotSpread> spreads, const PilotCost& cost, const Wanted& wanted,
               size_t units, size_t sets) {
  RunSize expected;
  expected.units = units;
  expected.sets = sets;
  expected.duration_ns =
      static_cast<double>(units) * (cost.unit_ns + static_cast<double>(sets) * cost.set_ns);
  double worst = -1;
  for (const PilotSpread& spread : spreads) {
    const std::optional<double> size = SizeNs(wanted, spread, units, sets);
    if (!size.has_value() || *size / WantedNs(wanted, spread) <= worst) continue;
    worst = *size / WantedNs(wanted, spread);
    expected.size_ns = size;
    if (spread.baseline_ns > 0) expected.share = *size / spread.baseline_ns;
  }
  return expected;
}

absl::StatusOr<RunSizePlan> PlanRunSize(std::span<const PilotSpread> spreads, const PilotCost& cost,
                                        const Wanted& wanted, size_t units_max, size_t sets_now) {
  RETURN_IF_ERROR(CheckPilot(spreads, cost, wanted));
  const bool has_sets = std::all_of(spreads.begin(), spreads.end(), [](const PilotSpread& spread) {
    return spread.set_variance_ns2.has_value();
  });
  RunSizePlan plan;
  size_t sets = sets_now;
  double most = -1;
  for (size_t i = 0; i < spreads.size(); ++i) {
    size_t best_sets = sets_now;
    if (has_sets) {
      ASSIGN_OR_RETURN(best_sets, BestSets(spreads[i], cost));
    }
    const double duration = static_cast<double>(UnitsFor(wanted, spreads[i], best_sets)) *
                            (cost.unit_ns + static_cast<double>(best_sets) * cost.set_ns);
    if (duration <= most) continue;
    most = duration;
    sets = best_sets;
    plan.demanding = i;
  }
  size_t units = 0;
  for (const PilotSpread& spread : spreads) {
    units = std::max(units, UnitsFor(wanted, spread, sets));
  }
  plan.is_reachable = units <= units_max;
  if (!plan.is_reachable && has_sets) {
    // Within the limit of the units more sets than the cheapest mix has may do.
    sets = stats::kLevelCountMax;
    plan.is_reachable = IsEnough(spreads, wanted, units_max, sets);
  }
  units = std::min(units, units_max);
  if (plan.is_reachable && has_sets) sets = Trim(spreads, wanted, units, sets);
  plan.best = Expect(spreads, cost, wanted, units, sets);
  return plan;
}

}  // namespace tare::coordinator
