// The report where people and programs look for it.

#ifndef TARE_COORDINATOR_CLI_REPORT_OUTPUT_H_
#define TARE_COORDINATOR_CLI_REPORT_OUTPUT_H_

#include <string>

#include "absl/status/statusor.h"
#include "coordinator/analysis/analysis.h"
#include "coordinator/report/report.h"

namespace tare::coordinator {

// Colour on a terminal unless NO_COLOR is set; as wide as the terminal, 80 columns at least, 100 at
// most, 80 when it is none.
TerminalOptions StdoutTerminal();

// Analyses, prints the report on stdout with where the data is, writes `json` (unless empty) and
// returns the report's exit code. Errors: those of Analyse and of writing the file.
absl::StatusOr<int> PrintReport(const RunData& data, const std::string& store,
                                const std::string& json);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_REPORT_OUTPUT_H_
