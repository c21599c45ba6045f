// Experiments from files.

#ifndef TARE_COORDINATOR_CLI_EXPERIMENT_FILE_H_
#define TARE_COORDINATOR_CLI_EXPERIMENT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// Reads, validates and fills in defaults. Errors: those of reading the file, and InvalidArgument
// with all violations.
absl::StatusOr<v1::Experiment> LoadExperiment(const std::string& path);

// Prints violations as they are, each with its position; returns the exit code.
int ComplainOfFile(const absl::Status& status);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_EXPERIMENT_FILE_H_
