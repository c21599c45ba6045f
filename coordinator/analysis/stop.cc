#include "coordinator/analysis/stop.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

absl::StatusOr<StopDecision> DecideStop(const RunData& data) {
  StopDecision decision;
  ASSIGN_OR_RETURN(const v1::Report report, Analyse(data));
  if (!report.has_stop() || !report.stop().is_decided()) return decision;
  decision.should_stop = true;
  decision.look = report.stop().look();
  decision.reason = absl::StrCat(report.stop().text(), ": the run ends here");
  return decision;
}

}  // namespace tare::coordinator
