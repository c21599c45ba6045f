#include "coordinator/experiment/experiment.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "base/units.h"
#include "coordinator/experiment/embedded.h"
#include "coordinator/experiment/message_reader.h"
#include "coordinator/experiment/validate.h"
#include "coordinator/experiment/violations.h"
#include "coordinator/experiment/yaml_tree.h"

namespace tare::coordinator {

absl::StatusOr<v1::Experiment> ReadExperiment(absl::string_view yaml, absl::string_view file) {
  Violations violations;
  v1::Experiment experiment;
  const auto bytes_count = static_cast<int64_t>(yaml.size());
  if (bytes_count > kExperimentBytesMax) {
    violations.Add({}, absl::StrCat("the file has ", FormatBytes(bytes_count)),
                   absl::StrCat("accepted: at most ", FormatBytes(kExperimentBytesMax)));
    return violations.ToStatus(file);
  }
  const std::optional<YamlNode> root = ParseYaml(yaml, &violations);
  if (root.has_value()) {
    PositionMap positions;
    ReadMessage(*root, &experiment, &positions, &violations);
    Validate(experiment, positions, &violations);
  }
  if (!violations.empty()) return violations.ToStatus(file);
  return experiment;
}

std::string StarterExperiment() { return std::string(EmbeddedStarter()); }

}  // namespace tare::coordinator
