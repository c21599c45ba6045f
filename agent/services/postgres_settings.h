// An experiment's server settings as lines of postgresql.conf.
//
// Pure functions, thread-safe.

#ifndef TARE_AGENT_SERVICES_POSTGRES_SETTINGS_H_
#define TARE_AGENT_SERVICES_POSTGRES_SETTINGS_H_

#include <string>

#include "absl/status/statusor.h"
#include "tare/v1/experiment.pb.h"

namespace tare::agent {

// One line a setting, values quoted. Whether the server knows it and takes the value is left to the
// server. InvalidArgument for a name that cannot be one, for settings by which tare finds and reads
// the server (port, log_destination, …), and for those that would run a program that the agent's
// owner has not allowed.
absl::StatusOr<std::string> RenderSettings(
    const google::protobuf::RepeatedPtrField<v1::ConfigValue>& settings);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_POSTGRES_SETTINGS_H_
