// Columns of text, aligned.
//
// The first column labels the rows. Cells are text already; numbers.h makes numbers whose decimal
// points meet when the column is aligned right. A table too wide for the page is not indented; if
// that is not enough, each label gets a line of its own, and at last rows are wrapped.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_REPORT_TABLE_H_
#define TARE_COORDINATOR_REPORT_TABLE_H_

#include <string>
#include <vector>

#include "coordinator/report/page.h"

namespace tare::coordinator {

enum class Align { kLeft, kRight };

class Table {
 public:
  // What each row is about; when all are empty there are no labels.
  explicit Table(std::vector<std::string> labels = {}, absl::string_view header = "cell");

  // `header` may have several lines, separated by '\n'; they stand on the row above the cells.
  // A column whose cells are all empty is not shown.
  void Column(absl::string_view header, Align align, std::vector<std::string> cells);

  // Nothing when there are only labels.
  void Print(int indent, Page* page) const;

 private:
  struct ColumnText {
    std::vector<std::string> header;
    Align align;
    std::vector<std::string> cells;
    int width;
  };

  std::string Join(const std::vector<std::string>& cells, size_t first) const;

  bool has_labels_ = false;  // then they are the first column
  std::vector<ColumnText> columns_;
  size_t header_lines_ = 0;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_TABLE_H_
