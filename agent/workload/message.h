// The JSON lines of the workload protocol, as the agent writes and reads them.
//
// Reading is strict, because a measured program may say anything: one object with one key, known
// keys only, none twice, plain integers, bounded depth. Pure functions, thread-safe. All errors are
// DataLoss with what was expected in the detail, except that {"error":…} in place of the expected
// message is FailedPrecondition with the workload's own words.

#ifndef TARE_AGENT_WORKLOAD_MESSAGE_H_
#define TARE_AGENT_WORKLOAD_MESSAGE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tare/v1/workload.pb.h"

namespace tare::agent {

// The version of the protocol that this agent speaks.
inline constexpr int kWorkloadProtocol = 1;

// Each returns one line with its newline.
std::string SetupLine(const v1::Setup& setup);
std::string MeasureLine(const v1::Measure& measure);
std::string CollectLine();
std::string AgentByeLine();

// Each reads one line without its newline.
absl::StatusOr<v1::Hello> ParseHello(absl::string_view line);

// `arms` are the names that setup gave, in order; the reply must have the same.
absl::StatusOr<v1::WorkloadReady> ParseReady(absl::string_view line,
                                             const std::vector<std::string>& arms);

// The reply must be about what `measure` asked, with all columns of that length.
absl::StatusOr<v1::SampleBlock> ParseSamples(absl::string_view line, const v1::Measure& measure);

absl::StatusOr<v1::WorkloadEvidence> ParseEvidence(absl::string_view line,
                                                   const std::vector<std::string>& arms);
absl::Status ParseBye(absl::string_view line);

}  // namespace tare::agent

#endif  // TARE_AGENT_WORKLOAD_MESSAGE_H_
