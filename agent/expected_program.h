// Is a program still the one that the run began with?
//
// Thread-safe.

#ifndef TARE_AGENT_EXPECTED_PROGRAM_H_
#define TARE_AGENT_EXPECTED_PROGRAM_H_

#include <string>

#include "absl/status/status.h"
#include "tare/v1/plan.pb.h"

namespace tare::agent {

// OK when `spec` expects nothing of (role, arm), or the file at `path` is what it expects; else
// FailedPrecondition with both digests. Errors of reading the file.
absl::Status CheckExpectedProgram(const v1::TrialSpec& spec, const std::string& role,
                                  const std::string& arm, const std::string& path);

}  // namespace tare::agent

#endif  // TARE_AGENT_EXPECTED_PROGRAM_H_
