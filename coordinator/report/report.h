// The report for people and for programs.
//
// Knows only the Report message. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_REPORT_REPORT_H_
#define TARE_COORDINATOR_REPORT_REPORT_H_

#include <string>

#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct TerminalOptions {
  bool has_color = false;
  int columns = 80;  // fewer than 40 count as 40
};

// The verdict first, then one table of comparisons, then what supports it.
std::string FormatTerminal(const v1::Report& report, const TerminalOptions& options);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_REPORT_H_
