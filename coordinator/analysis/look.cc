#include "coordinator/analysis/look.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/text.h"
#include "stats/e_process.h"
#include "stats/planned_looks.h"
#include "stats/t_interval.h"

namespace tare::coordinator {
namespace {

absl::StatusOr<double> LevelAt(std::span<const size_t> looks, size_t index, double alpha) {
  const absl::StatusOr<std::vector<stats::LookBound>> bounds = stats::PocockBounds(looks, alpha);
  if (!bounds.ok()) return bounds.status();
  return (*bounds)[index].level;
}

Look PlannedLook(const v1::Plan& plan, int32_t rounds, double family) {
  Look look;
  look.kind = LookKind::kPlanned;
  look.count = plan.looks_size();
  look.rounds = rounds;
  const std::vector<size_t> looks(plan.looks().begin(), plan.looks().end());
  const auto found = std::find(plan.looks().begin(), plan.looks().end(), rounds);
  if (found == plan.looks().end()) return look;
  const auto index = static_cast<size_t>(found - plan.looks().begin());
  const auto fail = LevelAt(looks, index, kFailAlpha / family);
  const auto pass = LevelAt(looks, index, kPassAlpha);
  const auto difference = LevelAt(looks, index, kDifferenceAlphaOneSided / family);
  const auto interval = LevelAt(looks, index, kDifferenceAlphaOneSided);
  if (!fail.ok() || !pass.ok() || !difference.ok() || !interval.ok()) return look;
  look.number = static_cast<int32_t>(index) + 1;
  look.fail = *fail;
  look.pass = *pass;
  look.difference = *difference;
  look.confidence = 1 - 2 * *interval;
  return look;
}

absl::StatusOr<stats::Interval> IntervalAt(std::span<const double> values, const Look& look) {
  return look.kind == LookKind::kOpenEnded ? stats::ConfidenceSequence(values, look.confidence)
                                           : stats::TInterval(values, look.confidence);
}

}  // namespace

v1::StopResult DescribeLook(const Look& look, const v1::Report& report) {
  v1::StopResult stop;
  stop.set_look(look.number);
  stop.set_looks_count(look.count);
  stop.set_rounds(look.rounds);
  stop.set_is_open_ended(look.kind == LookKind::kOpenEnded);
  stop.set_is_decided(look.MayDecide() && !report.comparisons().empty());
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    if (comparison.verdict() == v1::VERDICT_INCONCLUSIVE ||
        comparison.verdict() == v1::VERDICT_REFUSED) {
      stop.set_is_decided(false);
    }
  }
  const std::string rounds = Count(look.rounds, "round");
  const absl::string_view state = stop.is_decided() ? "decided" : "undecided";
  if (stop.is_open_ended()) {
    stop.set_text(absl::StrCat(state, " after ", rounds, " of an open-ended run",
                               stop.is_decided() ? "" : "; rounds may be added"));
  } else if (look.number == 0) {
    stop.set_text(absl::StrCat("no look is planned after ", rounds, ": nothing is decided here"));
  } else {
    stop.set_text(
        absl::StrCat(state, " at look ", look.number, " of ", look.count, " after ", rounds));
  }
  return stop;
}

Look LookAt(const RunData& data, int32_t rounds, size_t family_size) {
  const double family = static_cast<double>(std::max<size_t>(1, family_size));
  if (data.experiment.stop().open_ended() == v1::SWITCH_ON) {
    Look look;
    look.kind = LookKind::kOpenEnded;
    look.rounds = rounds;
    look.fail = kFailAlpha / family;
    look.difference = kDifferenceAlphaOneSided / family;
    return look;
  }
  if (!data.plan.looks().empty()) return PlannedLook(data.plan, rounds, family);
  Look look;
  look.rounds = rounds;
  return look;
}

void SetRepeatedInterval(const MetricComparison& measured, const Look& look,
                         v1::ReportComparison* report) {
  if (measured.scope != v1::SCOPE_UNSPECIFIED) return;
  const auto ratio = IntervalAt(measured.log_ratios, look);
  if (ratio.ok() && std::isfinite(ratio->low)) {
    report->mutable_repeated_ratio()->set_value(std::exp(ratio->value));
    report->mutable_repeated_ratio()->set_low(std::exp(ratio->low));
    report->mutable_repeated_ratio()->set_high(std::exp(ratio->high));
  }
  const auto difference = IntervalAt(measured.differences, look);
  if (IsTime(measured.metric) && difference.ok() && std::isfinite(difference->low)) {
    v1::Estimate* estimate = report->mutable_repeated_estimate();
    estimate->set_value_ns(difference->value);
    estimate->set_low_ns(difference->low);
    estimate->set_high_ns(difference->high);
    estimate->set_confidence(kConfidence);
  }
}

}  // namespace tare::coordinator
