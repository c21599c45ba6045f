// The experiment file: YAML text in, `Experiment` out, all violations at once.
//
// Reading is by reflection over experiment.proto and the rules in rule.proto; there is no second
// list of keys. Values are checked for form here, and for sense in Validate (references to arms and
// services, combinations of design keys).
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_EXPERIMENT_H_
#define TARE_COORDINATOR_EXPERIMENT_EXPERIMENT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

inline constexpr int64_t kExperimentBytesMax = 1 << 20;

// Reads and validates. `file` is only for messages. InvalidArgument: one "file:line:column: what"
// with detail and try per violation, in file order, separated by newlines, all in the message.
absl::StatusOr<v1::Experiment> ReadExperiment(absl::string_view yaml, absl::string_view file);

// Fills every default that experiment.proto states, except seed. Idempotent.
void ApplyDefaults(v1::Experiment* experiment);

// A JSON Schema (draft 2020-12) of the file for editors, generated from the proto's descriptors and
// comments.
std::string MakeJsonSchema();

// A commented experiment to start from; reads back without violations.
std::string StarterExperiment();

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_EXPERIMENT_H_
