#include "coordinator/report/page.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {
namespace {

// Narrower than this, wrapping gives one word a line; nobody has such a terminal.
constexpr int kColumnsMin = 40;
// Room for text beside a head, whatever the head's width.
constexpr int kTextWidthMin = 20;

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Bytes of the first `width` code points.
size_t PrefixBytes(absl::string_view text, int width) {
  size_t bytes = 0;
  for (int count = 0; bytes < text.size(); ++bytes) {
    if (!IsContinuation(text[bytes]) && count++ == width) break;
  }
  return bytes;
}

absl::string_view ColorCode(Color color) {
  switch (color) {
    case Color::kNone:
      return "";
    case Color::kGreen:
      return "\x1b[1;32m";
    case Color::kYellow:
      return "\x1b[1;33m";
    case Color::kRed:
      return "\x1b[1;31m";
  }
  return "";
}

std::string Spaces(int count) { return std::string(static_cast<size_t>(std::max(count, 0)), ' '); }

}  // namespace

int WidthOf(absl::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return !IsContinuation(c); }));
}

std::string Printable(absl::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c == '\n' || c == '\t') c = ' ';
    if (absl::ascii_iscntrl(static_cast<unsigned char>(c))) c = '?';
  }
  return result;
}

std::vector<std::string> Wrap(absl::string_view text, int width) {
  std::vector<std::string> lines;
  std::string line;
  for (absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (!line.empty() && WidthOf(line) + 1 + WidthOf(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    while (WidthOf(word) > width) {  // only after a flush: the word has a line to itself
      const size_t bytes = PrefixBytes(word, width);
      lines.emplace_back(word.substr(0, bytes));
      word.remove_prefix(bytes);
    }
    absl::StrAppend(&line, line.empty() ? "" : " ", word);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

Page::Page(const TerminalOptions& options)
    : has_color_(options.has_color), columns_(std::max(options.columns, kColumnsMin)) {}

void Page::Heading(absl::string_view title) {
  Blank();
  Text(0, title);
}

void Page::Text(int indent, absl::string_view text) {
  for (const std::string& line : Wrap(Printable(text), columns_ - indent)) {
    Line(absl::StrCat(Spaces(indent), line));
  }
}

void Page::Item(int indent, int width, absl::string_view head, absl::string_view text,
                Color color) {
  const std::string shown = Printable(head);
  const int text_column = std::min(indent + width + 2, columns_ - kTextWidthMin);
  std::vector<std::string> lines = Wrap(Printable(text), columns_ - text_column);
  if (WidthOf(shown) > text_column - indent - 2 || lines.empty()) {
    for (const std::string& line : Wrap(shown, columns_ - indent)) {
      Line(absl::StrCat(Spaces(indent), line));
    }
  } else {
    const int gap = text_column - indent - WidthOf(shown);
    const bool is_colored = has_color_ && color != Color::kNone;
    Line(absl::StrCat(Spaces(indent), is_colored ? ColorCode(color) : "", shown,
                      is_colored ? "\x1b[0m" : "", Spaces(gap), lines.front()));
    lines.erase(lines.begin());
  }
  for (const std::string& line : lines) Line(absl::StrCat(Spaces(text_column), line));
}

void Page::Row(int indent, absl::string_view line) {
  if (indent + WidthOf(absl::StripTrailingAsciiWhitespace(line)) > columns_) {
    Text(indent, line);
  } else {
    Line(absl::StrCat(Spaces(indent), line));
  }
}

void Page::Blank() { Line(""); }

void Page::Line(absl::string_view line) {
  absl::StrAppend(&text_, absl::StripTrailingAsciiWhitespace(line), "\n");
  ++lines_count_;
}

}  // namespace tare::coordinator
