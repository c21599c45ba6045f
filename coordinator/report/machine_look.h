// What `tare check` prints: one look at a machine, the verdict on it first.
//
// Pure; thread-safe.

#ifndef TARE_COORDINATOR_REPORT_MACHINE_LOOK_H_
#define TARE_COORDINATOR_REPORT_MACHINE_LOOK_H_

#include <string>
#include <vector>

#include "coordinator/report/report.h"
#include "tare/v1/record.pb.h"

namespace tare::coordinator {

// A line that says whether the machine is quiet, then every check with value and limit, then, for
// each finding, its cause and what to do.
std::string FormatMachineLook(const v1::Machine& machine, const std::vector<v1::Check>& checks,
                              const TerminalOptions& options);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_MACHINE_LOOK_H_
