#include "coordinator/analysis/known_delay.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/units.h"
#include "coordinator/analysis/estimate.h"
#include "stats/moments.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

constexpr double kMissNsMax = 1'000;
constexpr double kMissShareMax = 0.01;

double AskedNs(const v1::Plan& plan, const UsedTrial& trial, uint32_t arm) {
  const v1::TrialRecord& record = trial.data->record;
  const int index = static_cast<int>(arm);
  // A delay of "auto" is known to the agent only; a fixed one stands in the plan too.
  if (index < record.asked_delay_ns_size()) {
    return static_cast<double>(record.asked_delay_ns(index));
  }
  return static_cast<double>(std::max<int64_t>(0, plan.arms(index).known_delay_ns()));
}

v1::KnownDelayResult NotRun(absl::string_view why) {
  v1::KnownDelayResult result;
  result.set_status(v1::CHECK_STATUS_NOT_RUN);
  result.set_text(std::string(why));
  return result;
}

void JudgeVisibility(bool has_threshold, v1::KnownDelayResult* result) {
  const v1::Estimate& estimate = result->estimate();
  if (!estimate.has_low_ns()) {
    result->set_text("applied as asked; too few units to say whether it was seen");
    return;
  }
  result->set_is_seen(ExcludesZero(estimate));
  result->set_is_contained(estimate.low_ns() <= result->applied_ns() &&
                           result->applied_ns() <= estimate.high_ns());
  if (result->is_seen()) return;
  result->set_status(has_threshold ? v1::CHECK_STATUS_REFUSED : v1::CHECK_STATUS_WARNED);
  result->set_text(
      absl::StrCat("a delay of ", FormatDuration(result->applied_ns()), " was not seen"));
}

}  // namespace

double AppliedMedianNs(const TimedSamples& samples, uint32_t arm) {
  std::vector<double> applied;
  for (size_t i : samples.IndicesOf(arm)) applied.push_back(samples.applied_ns[i]);
  return stats::Median(applied).value_or(0);
}

double AllowedMissNs(double asked_ns) {
  return std::max(kMissNsMax, kMissShareMax * std::abs(asked_ns));
}

v1::KnownDelayResult JudgeKnownDelay(const CellComparison* comparison, const v1::Plan& plan,
                                     bool has_threshold) {
  if (comparison == nullptr) return NotRun("the run has no known-delay arm");
  if (comparison->units.empty()) return NotRun("no process was measured");
  std::vector<double> asked;
  std::vector<double> applied;
  SampledValues differences{{}, comparison->scope};
  double worst_excess = -1;
  v1::KnownDelayResult result;
  for (const Unit& unit : comparison->units) {
    asked.push_back(AskedNs(plan, *unit.candidate_trial, comparison->candidate));
    applied.push_back(AppliedMedianNs(unit.candidate_trial->samples, comparison->candidate));
    differences.Add(unit.difference_ns, unit.groups);
    const double miss_ns = applied.back() - asked.back();
    const double excess = std::abs(miss_ns) / AllowedMissNs(asked.back());
    if (excess > worst_excess) {
      worst_excess = excess;
      result.set_worst_miss_ns(miss_ns);
    }
  }
  if (*std::max_element(asked.begin(), asked.end()) <= 0) return NotRun("no delay was asked");
  result.set_asked_ns(stats::Mean(asked).value_or(0));
  result.set_applied_ns(stats::Mean(applied).value_or(0));
  *result.mutable_estimate() = MakeEstimate(differences, kConfidence);
  result.set_status(v1::CHECK_STATUS_PASSED);
  JudgeVisibility(has_threshold, &result);
  if (worst_excess > 1) {
    result.set_status(v1::CHECK_STATUS_REFUSED);
    result.set_text(absl::StrCat("the median delay of a process misses the asked one by ",
                                 FormatDuration(result.worst_miss_ns())));
  }
  return result;
}

}  // namespace tare::coordinator
