#include "coordinator/report/table.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {
namespace {

constexpr int kGap = 2;
// How far rows stand in from their label, when the label has a line of its own.
constexpr int kRowIndent = 2;

std::string Pad(absl::string_view text, int width, Align align) {
  const int missing = std::max(width - WidthOf(text), 0);
  const std::string spaces(static_cast<size_t>(missing), ' ');
  return align == Align::kLeft ? absl::StrCat(text, spaces) : absl::StrCat(spaces, text);
}

}  // namespace

Table::Table(std::vector<std::string> labels, absl::string_view header) {
  Column(header, Align::kLeft, std::move(labels));
  has_labels_ = !columns_.empty();
}

void Table::Column(absl::string_view header, Align align, std::vector<std::string> cells) {
  const bool is_empty =
      std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); });
  if (is_empty) return;
  ColumnText column = {absl::StrSplit(header, '\n'), align, std::move(cells), 0};
  for (std::string& cell : column.cells) cell = Printable(cell);
  for (std::string& line : column.header) {
    line = Printable(line);
    column.width = std::max(column.width, WidthOf(line));
  }
  for (const std::string& cell : column.cells) {
    column.width = std::max(column.width, WidthOf(cell));
  }
  header_lines_ = std::max(header_lines_, column.header.size());
  columns_.push_back(std::move(column));
}

std::string Table::Join(const std::vector<std::string>& cells, size_t first) const {
  std::string line;
  for (size_t i = first; i < columns_.size(); ++i) {
    if (i > first) line.append(kGap, ' ');
    line += Pad(cells[i], columns_[i].width, columns_[i].align);
  }
  return line;
}

void Table::Print(int indent, Page* page) const {
  if (columns_.size() <= (has_labels_ ? 1 : 0)) return;
  int width = -kGap;
  for (const ColumnText& column : columns_) width += kGap + column.width;
  const size_t first = has_labels_ && width > page->columns() ? 1 : 0;
  if (indent + width > page->columns()) indent = 0;
  const int row_indent = first == 0 ? indent : indent + kRowIndent;

  for (size_t line = 0; line < header_lines_; ++line) {
    std::vector<std::string> cells;
    for (const ColumnText& column : columns_) {
      const size_t missing = header_lines_ - column.header.size();  // headers end on the last line
      cells.push_back(line < missing ? "" : column.header[line - missing]);
    }
    page->Row(row_indent, Join(cells, first));
  }
  for (size_t row = 0; row < columns_.front().cells.size(); ++row) {
    std::vector<std::string> cells;
    for (const ColumnText& column : columns_) cells.push_back(column.cells[row]);
    if (first == 1) page->Text(indent, cells.front());
    page->Row(row_indent, Join(cells, first));
  }
}

}  // namespace tare::coordinator
