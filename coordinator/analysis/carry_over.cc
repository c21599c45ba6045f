#include "coordinator/analysis/carry_over.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/text.h"
#include "stats/order_strata.h"

namespace tare::coordinator {
namespace {

constexpr double kNamingConfidence = 0.99;

std::string WhyNotRun(const v1::Plan& plan, size_t usable) {
  if (plan.pairing() == v1::PAIRING_ROUNDS) {
    return "every sample series has a fresh process of its own";
  }
  if (plan.order() == v1::ORDER_UNSPECIFIED) return "the order was not recorded";
  if (plan.order() == v1::ORDER_FIXED || plan.order() == v1::ORDER_BLOCKED) {
    return "this order cannot tell position from predecessor";
  }
  return absl::StrCat(Count(static_cast<int64_t>(usable), "process"), " of at least ",
                      kUnitsForIntervalMin, " have ", stats::kStratumMin,
                      " first samples of either arm after either arm");
}

// What the design does not do yet.
absl::string_view CureFor(const v1::Plan& plan) {
  if (plan.order() == v1::ORDER_BALANCED) return "";
  return plan.washout() > 0 ? "; more washout or order: balanced would cure it"
                            : "; washout: 1 or order: balanced would cure it";
}

}  // namespace

CarryOverFinding FindCarryOver(const MetricComparison& measured, const v1::Plan& plan) {
  CarryOverFinding finding;
  SampledValues effects{{}, measured.scope};
  SampledValues gaps{{}, measured.scope};
  SampledValues free_differences{{}, measured.scope};
  for (const Unit& unit : measured.comparison->units) {
    if (!unit.carry_over_ns.has_value() || !unit.free_difference_ns.has_value()) continue;
    effects.Add(*unit.carry_over_ns, unit.groups);
    free_differences.Add(*unit.free_difference_ns, unit.groups);
    gaps.Add(*unit.free_difference_ns - unit.difference_ns, unit.groups);
  }
  finding.free_differences_ns = free_differences.values;
  if (effects.UnitsCount() < kUnitsForIntervalMin) {
    finding.report.set_status(v1::CHECK_STATUS_NOT_RUN);
    finding.report.set_text(WhyNotRun(plan, effects.values.size()));
    return finding;
  }
  *finding.report.mutable_effect() = MakeEstimate(effects, kConfidence);
  *finding.report.mutable_free_estimate() = MakeEstimate(free_differences, kConfidence);
  *finding.report.mutable_gap() = MakeEstimate(gaps, kConfidence);
  finding.is_named = ExcludesZero(MakeEstimate(effects, kNamingConfidence)) ||
                     ExcludesZero(MakeEstimate(gaps, kNamingConfidence));
  finding.report.set_status(finding.is_named ? v1::CHECK_STATUS_WARNED : v1::CHECK_STATUS_PASSED);
  if (finding.is_named) {
    finding.report.set_text(
        absl::StrCat("a sample changes the one after it; without that the difference is ",
                     FormatEstimate(finding.report.free_estimate()), CureFor(plan)));
  }
  return finding;
}

}  // namespace tare::coordinator
