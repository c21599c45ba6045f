// How many processes and sets a run should have, from what a pilot run spent and how it spread.
//
// For a wanted half width of the 95 % interval, or for a difference that is to be found. Sets in a
// process are cheap but do not average away what differs between processes; which mix is cheapest
// follows from both spreads and both costs. Not for runs that stop early. Estimates for people;
// nothing is decided by them. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_PLAN_RUN_SIZE_H_
#define TARE_COORDINATOR_PLAN_RUN_SIZE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/status/statusor.h"

namespace tare::coordinator {

// With fewer units the spread of the pilot is uncertain by a factor of about two.
inline constexpr size_t kPilotUnitsMin = 8;
inline constexpr size_t kPilotUnitsForIntervalMin = 3;

// One comparison of a pilot run. A unit is a process, in rounds a round.
struct PilotSpread {
  std::string comparison;  // "'copy' / 'rollback', plans=40"
  double baseline_ns = 0;  // its median; 0: unknown
  size_t units = 0;
  // Of one set's difference; absent when the pilot's units had too few sets to tell. Then
  // unit_variance_ns2 is that of the whole unit with the sets that it had.
  std::optional<double> set_variance_ns2;
  double unit_variance_ns2 = 0;  // that units add by themselves
  bool is_unit_clamped = false;  // the estimate was negative
};

struct PilotCost {
  double unit_ns = 0;  // one more unit of every cell, without its timed sets; above 0
  double set_ns = 0;   // one more timed set in all of these; above 0
};

enum class WantedKind { kHalfWidth, kEffect };

// Exactly one of the sizes.
struct Wanted {
  WantedKind kind = WantedKind::kHalfWidth;
  std::optional<int64_t> relative_ppm = std::nullopt;  // of the baseline's median
  std::optional<int64_t> absolute_ns = std::nullopt;
};

struct RunSize {
  size_t units = 0;
  size_t sets = 0;
  // Of the comparison that comes out worst, measured against what is wanted: the expected half
  // width, or the difference found with 80 % probability. Absent below 3 units.
  std::optional<double> size_ns;
  std::optional<double> share;  // of the baseline's median
  double duration_ns = 0;       // of the whole run
};

struct RunSizePlan {
  // The cheapest; the best possible when it is out of reach.
  RunSize best;
  bool is_reachable = true;
  size_t demanding = 0;  // index of the comparison that asks for most
};

// What so many units and sets would give. Where a comparison has no variance of sets, those of the
// pilot are assumed. Requires: at least one comparison.
RunSize Expect(std::span<const PilotSpread> spreads, const PilotCost& cost, const Wanted& wanted,
               size_t units, size_t sets);

// The cheapest numbers with which every comparison comes up to `wanted`: sets by the rule of
// Kalibera and Jones for the comparison that costs most, 30 to 3000, then units from 5 to
// `units_max`, then no more sets than those units need. Where sets cannot be told from units,
// `sets_now` of them. Errors: InvalidArgument when a cost is not above zero, nothing is wanted, or
// a share is wanted of a baseline that is not known; FailedPrecondition with fewer than
// kPilotUnitsForIntervalMin units, for an effect fewer than kPilotUnitsMin.
absl::StatusOr<RunSizePlan> PlanRunSize(std::span<const PilotSpread> spreads, const PilotCost& cost,
                                        const Wanted& wanted, size_t units_max, size_t sets_now);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_RUN_SIZE_H_
