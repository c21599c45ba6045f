// Lines of text for a terminal of bounded width.
//
// Everything that goes in is wrapped at white space (words longer than the width are cut over
// lines) and made printable: control characters, such as escape sequences in a process's name,
// become '?'. So no line of the result is longer than `columns` code points. Knows no report.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_REPORT_PAGE_H_
#define TARE_COORDINATOR_REPORT_PAGE_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/report/report.h"

namespace tare::coordinator {

enum class Color { kNone, kGreen, kYellow, kRed };

// Code points; wide and combining characters count as one.
int WidthOf(absl::string_view text);

// The text without control characters.
std::string Printable(absl::string_view text);

// Lines of at most `width` code points. Requires: width > 0.
std::vector<std::string> Wrap(absl::string_view text, int width);

class Page {
 public:
  explicit Page(const TerminalOptions& options);

  int columns() const { return columns_; }

  // An empty line, then the title.
  void Heading(absl::string_view title);

  // One paragraph, all its lines indented.
  void Text(int indent, absl::string_view text);

  // "head  text" with the text beginning in column `indent + width + 2` on every line. A head wider
  // than `width` stands on a line of its own. Only the head is coloured.
  void Item(int indent, int width, absl::string_view head, absl::string_view text,
            Color color = Color::kNone);

  // Keeps the spacing inside the line when it fits, else wraps it.
  void Row(int indent, absl::string_view line);

  void Blank();

  // All lines so far, each ended by a line feed.
  const std::string& text() const { return text_; }
  int lines_count() const { return lines_count_; }

 private:
  void Line(absl::string_view line);

  bool has_color_;
  int columns_;
  std::string text_;
  int lines_count_ = 0;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_PAGE_H_
