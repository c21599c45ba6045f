// Did the process take the settings that it was given?
//
// Pure; thread-safe.

#ifndef TARE_AGENT_CONFIG_ECHO_H_
#define TARE_AGENT_CONFIG_ECHO_H_

#include "absl/status/status.h"
#include "google/protobuf/repeated_ptr_field.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/workload.pb.h"

namespace tare::agent {

// Every setting in `asked` must be in the process's echo with the same value (integers and reals of
// the same number are equal). FailedPrecondition with arm, setting, asked and echoed value.
absl::Status CheckConfigEcho(const v1::Setup& asked, const v1::WorkloadReady& ready);

}  // namespace tare::agent

#endif  // TARE_AGENT_CONFIG_ECHO_H_
