// How the analysis words names and numbers. Not for layout, which is the report's. Pure functions.

#ifndef TARE_COORDINATOR_ANALYSIS_TEXT_H_
#define TARE_COORDINATOR_ANALYSIS_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// The value alone: "40", "true", "copy", "a,b".
std::string FormatConfigValue(const v1::ConfigValue& value);

// "plans=40, months=60"; of a ladder's rung "delay=25us"; empty for the one cell of a run without a
// sweep.
std::string NameCell(const v1::Cell& cell);

// "-7.57 us [-8.74 us, -6.41 us]"; without the interval when there is none; "unknown" without
// value.
std::string FormatEstimate(const v1::Estimate& estimate);

// The change in per cent: "+5.2 % [+1.0 %, +9.5 %]"; the same rules.
std::string FormatRatio(const v1::Ratio& ratio);

// "1 round", "3 rounds".
std::string Count(int64_t count, absl::string_view noun);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_TEXT_H_
