// One run of `tare run`, as a person runs it, and its report.

#ifndef TARE_BENCH_CALIBRATE_TARE_RUN_H_
#define TARE_BENCH_CALIBRATE_TARE_RUN_H_

#include <string>

#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

namespace tare::calibrate {

// A directory of programs, and one for the files of the runs.
struct Workplace {
  std::string programs;
  std::string files;
};

// Runs the experiment file and returns the report as --json writes it. Its store is kept in the
// workplace. Unavailable: tare could not be started, or ended without a report.
absl::StatusOr<nlohmann::json> RunTare(const Workplace& workplace, const std::string& experiment);

// Writes an experiment file into the workplace and returns its path.
absl::StatusOr<std::string> WriteExperiment(const Workplace& workplace, const std::string& name,
                                            const std::string& yaml);

}  // namespace tare::calibrate

#endif  // TARE_BENCH_CALIBRATE_TARE_RUN_H_
