// A run put together from measured processes, one after the other.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_IMPORT_IMPORTED_RUN_H_
#define TARE_COORDINATOR_IMPORT_IMPORTED_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "coordinator/analysis/analysis.h"
#include "coordinator/import/import.h"

namespace tare::coordinator {

// All samples of one process in the order of measurement; columns of equal length.
struct ProcessSamples {
  int32_t round = 0;
  std::vector<uint32_t> arms;  // index into Plan.arms
  std::vector<int64_t> values_ns;
  std::vector<int64_t> applied_ns;  // empty: no known delay
  int64_t warmup = 0;               // so many of them are
};

class ImportedRun {
 public:
  ImportedRun(const std::vector<MeasuredFile>& files, v1::Pairing pairing, v1::Order order);

  // Arms have indices from 0 in this order. `repeats` is the baseline of a control, else empty.
  void AddArm(const std::string& name, v1::ArmKind kind, const std::string& repeats);
  void AddComparison(v1::ComparisonKind kind, const std::string& baseline,
                     const std::string& candidate);

  // A complete trial. The evidence may be filled in until the next call.
  v1::ArmEvidence* AddTrial(const ProcessSamples& samples);
  // A trial that should have been measured and is not in the files.
  void AddMissingTrial(int32_t round);

  RunData Take() &&;

 private:
  v1::Trial* AddPlannedTrial(int32_t round);

  RunData data_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_IMPORTED_RUN_H_
