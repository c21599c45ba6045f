// The report where people and programs look for it.

#ifndef TARE_COORDINATOR_CLI_REPORT_OUTPUT_H_
#define TARE_COORDINATOR_CLI_REPORT_OUTPUT_H_

#include <string>

#include "absl/status/status.h"
#include "coordinator/report/report.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Colour on a terminal unless NO_COLOR is set; as wide as the terminal, 80 columns at least, 100 at
// most, 80 when it is none.
TerminalOptions StdoutTerminal();

// Prints the report on stdout with where the data is, and writes `json` (unless empty). Of imported
// data the report itself says where they are from, and `store` is not looked at. Errors: those of
// writing the file.
absl::Status PrintReport(const v1::Report& report, const std::string& store,
                         const std::string& json);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_REPORT_OUTPUT_H_
