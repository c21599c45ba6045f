// What every exported row of a run begins with.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_STORE_EXPORT_TRIAL_H_
#define TARE_COORDINATOR_STORE_EXPORT_TRIAL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "coordinator/store/export.h"
#include "coordinator/store/row_writer.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

struct ExportedRun {
  v1::Plan plan;
  std::vector<AttemptSummary> attempts;  // those to export; all name a trial and cell of the plan
  std::vector<std::string> columns;      // that every row begins with
  std::string run;
};

absl::StatusOr<ExportedRun> LoadExportedRun(Store& store, const std::string& run,
                                            const ExportOptions& options);

// The values of `exported.columns`.
std::vector<RowValue> TrialValues(const ExportedRun& exported, const AttemptSummary& attempt);

// Where a sample stands by the plan.
struct SamplePlace {
  RowValue set;
  RowValue position;
};

// Of sample `index` of a process, warm-up included, in trial `trial`. Costs time in proportion to
// the trials before it only in pairing `rounds`, where a process has few samples.
SamplePlace PlaceOf(const v1::Plan& plan, int32_t trial, int64_t index);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_EXPORT_TRIAL_H_
