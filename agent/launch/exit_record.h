// How a process ended, written into its record.
//
// Pure; thread-safe.

#ifndef TARE_AGENT_LAUNCH_EXIT_RECORD_H_
#define TARE_AGENT_LAUNCH_EXIT_RECORD_H_

#include "agent/launch/process.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

void RecordExit(const ExitStatus& exit, v1::Process* record);

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_EXIT_RECORD_H_
