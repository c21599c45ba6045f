// The report for people and for programs.
//
// Knows only the Report message. Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_REPORT_REPORT_H_
#define TARE_COORDINATOR_REPORT_REPORT_H_

#include <string>

#include "google/protobuf/message.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct TerminalOptions {
  bool has_color = false;
  int columns = 80;  // fewer than 40 count as 40
};

// The verdict first, then one table of comparisons, then what supports it.
std::string FormatTerminal(const v1::Report& report, const TerminalOptions& options);

// Any message as JSON for programs: snake_case names, every field present (null when absent, []
// when empty), 64-bit integers as numbers, enum values as lower-case words without their prefix
// ("regression"). `indent` < 0: one line.
std::string FormatJson(const google::protobuf::Message& message, int indent);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_REPORT_H_
