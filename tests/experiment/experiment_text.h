// Experiment files for tests: a valid one with a part replaced.

#ifndef TARE_TESTS_EXPERIMENT_EXPERIMENT_TEXT_H_
#define TARE_TESTS_EXPERIMENT_EXPERIMENT_TEXT_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status.h"
#include "coordinator/experiment/experiment.h"

namespace tare::coordinator {

// The three lines that every experiment needs; what is added so begins in line 4.
inline constexpr char kMinimal[] =
    "name: x\n"
    "workload: { command: tare-spin, config: { work_us: 5, kind: a } }\n"
    "arms: { one: {}, two: {} }\n";

inline std::string Minimal(absl::string_view more) { return absl::StrCat(kMinimal, more); }

// The text of the violations; empty when there are none.
inline std::string ErrorOf(absl::string_view yaml) {
  return FormatError(ReadExperiment(yaml, "x.yaml").status());
}

}  // namespace tare::coordinator

#endif  // TARE_TESTS_EXPERIMENT_EXPERIMENT_TEXT_H_
