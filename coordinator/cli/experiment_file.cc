#include "coordinator/cli/experiment_file.h"

#include <cstdio>

#include "base/files.h"
#include "base/status.h"
#include "coordinator/cli/exit_code.h"
#include "coordinator/experiment/experiment.h"

namespace tare::coordinator {

absl::StatusOr<v1::Experiment> LoadExperiment(const std::string& path) {
  absl::StatusOr<std::string> text = ReadFile(path, kExperimentBytesMax);
  if (absl::IsNotFound(text.status())) {
    return MakeError(absl::StatusCode::kNotFound, text.status().message())
        .Try("tare init my.yaml writes one to start from");
  }
  if (!text.ok()) {
    return MakeError(absl::StatusCode::kInvalidArgument, text.status().message());
  }
  ASSIGN_OR_RETURN(v1::Experiment experiment, ReadExperiment(*text, path));
  ApplyDefaults(&experiment);
  return experiment;
}

int ComplainOfFile(const absl::Status& status) {
  if (!absl::IsInvalidArgument(status)) return Complain(status);
  std::fprintf(stderr, "%s\n", FormatError(status).c_str());
  return kExitUsage;
}

}  // namespace tare::coordinator
