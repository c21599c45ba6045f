// The process's end of the workload protocol: one trial, from hello to bye.
//
// Private to the SDK; workloads call Main. Blocks until the trial is over.

#ifndef TARE_WORKLOADS_SDK_CPP_SESSION_H_
#define TARE_WORKLOADS_SDK_CPP_SESSION_H_

#include "workloads/sdk/cpp/workload.h"

namespace tare::sdk {

// Serves `workload` over two pipes: reads lines from `in`, writes lines to `out`; owns neither.
// Returns the exit code: 0 after bye or at end of file (the agent went away: stop), 1 after it has
// reported an error of the workload or of the agent.
int Serve(Workload& workload, int in, int out);
int Serve(ContinuousWorkload& workload, int in, int out);

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_SESSION_H_
