// How many processes and sets: from synthetic pilots, against the formula by hand.

#include "coordinator/plan/run_size.h"

#include <cmath>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "coordinator/plan/format_run_size.h"
#include "coordinator/plan/lines.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "stats/smallest_visible.h"
#include "stats/t_interval.h"

namespace tare::coordinator {
namespace {

using testing::HasSubstr;
using testing::Not;

// The oracle of counts: sets of 90 us, processes of 10 us, 2 s a process, 1.7 ms a set.
PilotSpread Spread() {
  PilotSpread spread;
  spread.comparison = "'copy' / 'rollback'";
  spread.baseline_ns = 850e3;
  spread.units = 10;
  spread.set_variance_ns2 = 90e3 * 90e3;
  spread.unit_variance_ns2 = 10e3 * 10e3;
  return spread;
}

constexpr PilotCost kCost = {2e9, 1.7e6};

Wanted HalfWidthOf(int64_t size_ns) { return {.absolute_ns = size_ns}; }

double SdAt(size_t sets) { return std::sqrt(1e8 + 8.1e9 / static_cast<double>(sets)); }

double HalfWidthAt(size_t units, size_t sets) {
  const double count = static_cast<double>(units);
  return stats::TQuantile(0.975, count - 1) * SdAt(sets) / std::sqrt(count);
}

TEST(RunSize, AreTheFormulasByHand) {
  const std::vector<PilotSpread> spreads = {Spread()};
  const RunSizePlan plan = PlanRunSize(spreads, kCost, HalfWidthOf(5'000), 1000, 300).value();
  ASSERT_TRUE(plan.is_reachable);
  // 309 sets; the fewest processes with them, and then the fewest sets with those.
  size_t units = 5;
  while (HalfWidthAt(units, 309) > 5'000) ++units;
  size_t sets = 309;
  while (HalfWidthAt(units, sets - 1) <= 5'000) --sets;
  EXPECT_EQ(plan.best.units, units);
  EXPECT_EQ(plan.best.sets, sets);
  EXPECT_GT(units, 15u);
  EXPECT_NEAR(*plan.best.size_ns, HalfWidthAt(units, sets), 1e-6);
  EXPECT_NEAR(*plan.best.share, HalfWidthAt(units, sets) / 850e3, 1e-12);
  const double count = static_cast<double>(units);
  EXPECT_DOUBLE_EQ(plan.best.duration_ns, count * (2e9 + static_cast<double>(sets) * 1.7e6));
}

TEST(RunSize, OfAnEffectAreCarefulAboutTheSpread) {
  const std::vector<PilotSpread> spreads = {Spread()};
  const Wanted wanted = {.kind = WantedKind::kEffect, .absolute_ns = 10'000};
  const RunSizePlan plan = PlanRunSize(spreads, kCost, wanted, 1000, 300).value();
  const auto effect_at = [](size_t units, size_t sets) {
    return stats::VisibleFactor(units, 0.8).value() * 1.293385 * SdAt(sets);
  };
  size_t units = 5;
  while (effect_at(units, 309) > 10'000) ++units;
  EXPECT_EQ(plan.best.units, units);
  EXPECT_LE(*plan.best.size_ns, 10'000);
  EXPECT_NEAR(*plan.best.size_ns, effect_at(units, plan.best.sets), 0.01);
}

TEST(RunSize, TakeAShareOfTheBaseline) {
  const std::vector<PilotSpread> spreads = {Spread()};
  const Wanted share = {.relative_ppm = 10'000};  // 1 % of 850 us
  const auto of_share = PlanRunSize(spreads, kCost, share, 1000, 300).value();
  const auto of_time = PlanRunSize(spreads, kCost, HalfWidthOf(8'500), 1000, 300).value();
  EXPECT_EQ(of_share.best.units, of_time.best.units);
  EXPECT_EQ(of_share.best.sets, of_time.best.sets);
  std::vector<PilotSpread> unknown = {Spread()};
  unknown[0].baseline_ns = 0;
  EXPECT_EQ(PlanRunSize(unknown, kCost, share, 1000, 300).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(RunSize, SuitTheMostDemandingComparison) {
  std::vector<PilotSpread> spreads = {Spread(), Spread()};
  spreads[1].unit_variance_ns2 = 30e3 * 30e3;
  const auto plan = PlanRunSize(spreads, kCost, HalfWidthOf(10'000), 1000, 300).value();
  EXPECT_EQ(plan.demanding, 1u);
  EXPECT_LE(*plan.best.size_ns, 10'000);
  EXPECT_EQ(
      plan.best.units,
      PlanRunSize({&spreads[1], 1}, kCost, HalfWidthOf(10'000), 1000, 300).value().best.units);
}

TEST(RunSize, OfEqualProcessesAreTheFewestThatDecide) {
  std::vector<PilotSpread> spreads = {Spread()};
  spreads[0].unit_variance_ns2 = 0;
  spreads[0].is_unit_clamped = true;
  const auto plan = PlanRunSize(spreads, kCost, HalfWidthOf(10'000), 1000, 300).value();
  EXPECT_EQ(plan.best.units, 5u);
  EXPECT_LT(plan.best.sets, 3000u);
  EXPECT_GT(plan.best.sets, 30u);
}

TEST(RunSize, OutOfReachNameTheBestThatIsPossible) {
  const std::vector<PilotSpread> spreads = {Spread()};
  const auto plan = PlanRunSize(spreads, kCost, HalfWidthOf(10), 1000, 300).value();
  EXPECT_FALSE(plan.is_reachable);
  EXPECT_EQ(plan.best.units, 1000u);
  EXPECT_EQ(plan.best.sets, 3000u);
  // The cheapest mix has too many processes, more sets in fewer do.
  const double nearly = HalfWidthAt(20, 2900);
  const auto limited =
      PlanRunSize(spreads, kCost, HalfWidthOf(static_cast<int64_t>(nearly)), 20, 300).value();
  EXPECT_TRUE(limited.is_reachable);
  EXPECT_EQ(limited.best.units, 20u);
  EXPECT_GE(limited.best.sets, 2900u);
}

TEST(RunSize, WithoutASpreadOfSetsKeepTheirNumber) {
  std::vector<PilotSpread> spreads = {Spread()};
  spreads[0].set_variance_ns2.reset();
  const auto plan = PlanRunSize(spreads, kCost, HalfWidthOf(5'000), 1000, 1).value();
  EXPECT_EQ(plan.best.sets, 1u);
  EXPECT_LE(*plan.best.size_ns, 5'000);
}

TEST(RunSize, RefuseASmallPilot) {
  std::vector<PilotSpread> spreads = {Spread()};
  spreads[0].units = 7;
  const Wanted effect = {.kind = WantedKind::kEffect, .absolute_ns = 10'000};
  EXPECT_EQ(PlanRunSize(spreads, kCost, effect, 1000, 300).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(PlanRunSize(spreads, kCost, HalfWidthOf(5'000), 1000, 300).ok());
  spreads[0].units = 2;
  EXPECT_FALSE(PlanRunSize(spreads, kCost, HalfWidthOf(5'000), 1000, 300).ok());
  EXPECT_EQ(PlanRunSize(spreads, {0, 0}, HalfWidthOf(5'000), 1000, 300).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(PlanRunSize(spreads, kCost, {}, 1000, 300).ok());
}

std::string TextOf(const std::vector<PilotSpread>& spreads, const Wanted& wanted) {
  RunSizeText text;
  text.experiment = "preview-cost";
  text.run = "20261130-210836-k3f9";
  text.pairing = v1::PAIRING_IN_PROCESS;
  text.units_max = 1000;
  text.pilot_sets = 300;
  const auto plan = PlanRunSize(spreads, kCost, wanted, 1000, 300).value();
  return FormatRunSize(text, spreads, kCost, wanted, plan, Expect(spreads, kCost, wanted, 10, 300));
}

TEST(FormattedRunSize, SayWhatIsCheapestBesideWhatTheFileHas) {
  EXPECT_EQ(TextOf({Spread()}, {.relative_ppm = 10'000}), R"(preview-cost

wanted       a 95 % interval of ±1 % or narrower
pilot        run 20261130-210836-k3f9: 10 processes of 300 sets
spread       a set by 90.0 us, a process by 10.0 us (standard deviations of the
             difference 'copy' / 'rollback')
cost         a process takes 2.00 s to start, warm up and stop, and 1.70 ms a
             set
cheapest     10 processes of 197 sets: ±8.50 us (1 %), about 23 s
as it is     10 processes of 300 sets: ±8.06 us (0.948 %), about 25 s
)");
}

TEST(FormattedRunSize, SayWhatIsInTheWay) {
  std::vector<PilotSpread> spreads = {Spread()};
  spreads[0].units = 5;
  spreads[0].unit_variance_ns2 = 0;
  spreads[0].is_unit_clamped = true;
  const std::string lines = TextOf(spreads, HalfWidthOf(1));
  const std::string text = absl::StrReplaceAll(lines, {{"\n             ", " "}});
  EXPECT_THAT(text, HasSubstr("out of reach"));
  EXPECT_THAT(text, HasSubstr("processes at most 1000"));
  EXPECT_THAT(text, HasSubstr("a pilot of 5 processes knows its spread"));
  EXPECT_THAT(text, HasSubstr("clamped to 0"));
  EXPECT_THAT(text, Not(HasSubstr("cheapest")));
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    EXPECT_LE(ColumnsOf(line), kColumns) << line;
  }
}

}  // namespace
}  // namespace tare::coordinator
