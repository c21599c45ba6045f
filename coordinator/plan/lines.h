// Labelled lines of text that fill 80 columns: the layout of `tare plan`.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_PLAN_LINES_H_
#define TARE_COORDINATOR_PLAN_LINES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace tare::coordinator {

inline constexpr size_t kColumns = 80;
inline constexpr size_t kLabelColumns = 13;

// Characters, not bytes.
size_t ColumnsOf(absl::string_view text);

// Fills lines with the words of `text`; lines after the first begin with `indent` spaces.
std::string FillLines(absl::string_view first, absl::string_view text, size_t indent);

// A label and its text, wrapped beside it.
std::string LabelLine(absl::string_view label, absl::string_view text);

// "1 round", "3 rounds", "2 processes".
std::string Counted(int64_t count, absl::string_view noun);

// "45 s", "12 min", "3.5 h"
std::string FormatLong(double duration_ns);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_PLAN_LINES_H_
