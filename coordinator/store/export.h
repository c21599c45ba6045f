// A run's raw data as rows for other programs.
//
// Every row begins with run, trial, round, one column `cell_NAME` a factor, attempt and is_counted.
// Only attempts that count are exported, unless all are asked for. Rows come in the order of
// trials, attempts, roles and samples. Memory does not grow with the number of samples.
//
// Thread-safe as the store is. Errors are the store's and the sink's; DataLoss also when data names
// a trial, cell or arm that the plan does not have.

#ifndef TARE_COORDINATOR_STORE_EXPORT_H_
#define TARE_COORDINATOR_STORE_EXPORT_H_

#include <string>

#include "absl/status/status.h"
#include "coordinator/store/row_writer.h"
#include "coordinator/store/store.h"

namespace tare::coordinator {

struct ExportOptions {
  RowFormat format = RowFormat::kCsv;
  bool all_attempts = false;
};

// One row a sample: role, arm, block, is_warmup, set, position, start_ns, value_ns, applied_ns, one
// column `step_NAME_ns` a step. `set` counts from 0 over the process, warm-up included; `position`
// is the sample's place in its set, in pairing `rounds` the process's place among those of its
// round and cell. Both are absent for orders without sets. Reads the samples twice: the steps that
// occur make the header.
absl::Status ExportSamples(Store& store, const std::string& run, const ExportOptions& options,
                           const RowSink& sink);

// One row a check: host, phase, check, status, value, limit, unit, culprit, advice, refusal.
absl::Status ExportChecks(Store& store, const std::string& run, const ExportOptions& options,
                          const RowSink& sink);

// One row a block and placement (one without a process where none was seen): role, block,
// is_warmup, then the fields of BlockEvidence and Placement.
absl::Status ExportEvidence(Store& store, const std::string& run, const ExportOptions& options,
                            const RowSink& sink);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_EXPORT_H_
