// Files of the source tree that are part of the program. The definitions are generated at build.

#ifndef TARE_COORDINATOR_EXPERIMENT_EMBEDDED_H_
#define TARE_COORDINATOR_EXPERIMENT_EMBEDDED_H_

#include "absl/strings/string_view.h"

namespace tare::coordinator {

// The FileDescriptorSet of proto/tare/v1 with its comments.
absl::string_view EmbeddedDescriptors();

// examples/starter.yaml
absl::string_view EmbeddedStarter();

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_EMBEDDED_H_
