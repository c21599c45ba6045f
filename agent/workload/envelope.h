// What all lines of the workload protocol share: one JSON object with the message's name as its
// key.
//
// Private to agent/workload. Pure functions, thread-safe.

#ifndef TARE_AGENT_WORKLOAD_ENVELOPE_H_
#define TARE_AGENT_WORKLOAD_ENVELOPE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "agent/workload/json_fields.h"

namespace tare::agent {

// Payload of a Status that carries the workload's own error: its refusal code.
inline constexpr char kWorkloadCodeUrl[] = "tare/workload-code";

// {"name":body} and a newline. Text that is not UTF-8 is repaired rather than refused.
std::string Line(const char* name, Json body);

// The object under `name`, which must be the line's only key. Errors: DataLoss by NotTheProtocol;
// FailedPrecondition with the workload's words when the line is {"error":…}.
absl::StatusOr<Json> OpenEnvelope(absl::string_view line, const std::string& name);

// DataLoss that gives `reason` and the beginning of the line, made printable.
absl::Status NotTheProtocol(absl::string_view line, absl::string_view reason);

}  // namespace tare::agent

#endif  // TARE_AGENT_WORKLOAD_ENVELOPE_H_
