#include "coordinator/analysis/distance.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/analysis/estimate.h"
#include "coordinator/analysis/text.h"
#include "stats/fieller.h"

namespace tare::coordinator {
namespace {

// What was measured, as far as it was.
stats::Interval AppliedRange(
    const google::protobuf::RepeatedPtrField<v1::RoundTripsLevel>& levels) {
  stats::Interval range;
  bool is_first = true;
  for (const v1::RoundTripsLevel& level : levels) {
    if (!level.has_applied_ns()) continue;
    range.low = is_first ? level.applied_ns() : std::min(range.low, level.applied_ns());
    range.high = is_first ? level.applied_ns() : std::max(range.high, level.applied_ns());
    is_first = false;
  }
  return range;
}

}  // namespace

v1::Distance FindDistance(int64_t explained_ns,
                          const absl::StatusOr<std::vector<stats::Line>>& lines,
                          const google::protobuf::RepeatedPtrField<v1::RoundTripsLevel>& levels) {
  v1::Distance distance;
  distance.set_explained_ns(explained_ns);
  const double latency_ns = static_cast<double>(explained_ns);
  const std::string latency = FormatDuration(latency_ns);
  const absl::StatusOr<stats::Interval> interval =
      lines.ok() ? stats::InversePrediction(*lines, latency_ns, kConfidence) : lines.status();
  if (!interval.ok()) {
    distance.set_text(absl::StrCat("no distance is known to explain ", latency, ": ",
                                   PartsOf(interval.status()).what));
    return distance;
  }
  v1::Estimate* estimate = distance.mutable_estimate();
  estimate->set_value_ns(interval->value);
  estimate->set_low_ns(interval->low);
  estimate->set_high_ns(interval->high);
  estimate->set_confidence(kConfidence);
  const stats::Interval measured = AppliedRange(levels);
  distance.set_is_extrapolated(interval->value < measured.low || interval->value > measured.high);
  distance.set_text(absl::StrCat(latency, " would need a distance of ", FormatEstimate(*estimate),
                                 " a round trip"));
  if (distance.is_extrapolated()) {
    absl::StrAppend(distance.mutable_text(), ", which is beyond what was measured, ",
                    FormatDuration(measured.low), " to ", FormatDuration(measured.high));
  }
  return distance;
}

}  // namespace tare::coordinator
