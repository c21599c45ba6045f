#include "coordinator/analysis/stop.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

absl::StatusOr<StopDecision> DecideStop(const RunData& data) {
  StopDecision decision;
  ASSIGN_OR_RETURN(const v1::Report report, Analyse(data));
  if (report.comparisons().empty()) return decision;
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    if (comparison.verdict() == v1::VERDICT_INCONCLUSIVE ||
        comparison.verdict() == v1::VERDICT_REFUSED) {
      return decision;
    }
  }
  decision.should_stop = true;
  decision.reason = absl::StrCat("decided after ", report.rounds_counted(), " of ",
                                 report.rounds_planned(), " rounds, as planned: the run ends here");
  return decision;
}

}  // namespace tare::coordinator
