#include "coordinator/plan/lines.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

namespace tare::coordinator {

size_t ColumnsOf(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string FillLines(absl::string_view first, absl::string_view text, size_t indent) {
  std::string lines(first);
  size_t column = ColumnsOf(first);
  bool is_line_empty = true;
  for (absl::string_view word : absl::StrSplit(text, absl::ByAnyChar(" \n\t"), absl::SkipEmpty())) {
    if (!is_line_empty && column + 1 + ColumnsOf(word) > kColumns) {
      absl::StrAppend(&lines, "\n", std::string(indent, ' '));
      column = indent;
      is_line_empty = true;
    }
    absl::StrAppend(&lines, is_line_empty ? "" : " ", word);
    column += ColumnsOf(word) + (is_line_empty ? 0 : 1);
    is_line_empty = false;
  }
  return lines + "\n";
}

std::string LabelLine(absl::string_view label, absl::string_view text) {
  const std::string first =
      absl::StrCat(label, std::string(kLabelColumns - std::min(kLabelColumns, label.size()), ' '));
  return FillLines(first, text, kLabelColumns);
}

std::string Counted(int64_t count, absl::string_view noun) {
  if (count == 1) return absl::StrCat("1 ", noun);
  return absl::StrCat(count, " ", noun, noun == "process" ? "es" : "s");
}

std::string FormatLong(double duration_ns) {
  const double seconds = duration_ns / 1e9;
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace tare::coordinator
