#include "coordinator/experiment/violations.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

constexpr size_t kQuotedBytesMax = 60;

}  // namespace

void Violations::Add(Position position, absl::string_view what, absl::string_view detail,
                     absl::string_view action) {
  entries_.push_back({position, std::string(what), std::string(detail), std::string(action)});
}

absl::Status Violations::ToStatus(absl::string_view file) const {
  if (entries_.empty()) return absl::OkStatus();
  std::vector<Entry> sorted = entries_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.position.line, a.position.column) <
           std::tie(b.position.line, b.position.column);
  });
  std::vector<std::string> texts;
  for (const Entry& entry : sorted) {
    if (texts.size() == kViolationsShownMax) {
      texts.push_back(absl::StrCat(file, ": ", sorted.size() - texts.size(), " more violations"));
      break;
    }
    const std::string what =
        absl::StrCat(file, ":", entry.position.line, ":", entry.position.column, ": ", entry.what);
    texts.push_back(FormatError(MakeError(absl::StatusCode::kInvalidArgument, what)
                                    .Detail(entry.detail)
                                    .Try(entry.action)));
  }
  return absl::InvalidArgumentError(absl::StrJoin(texts, "\n"));
}

std::string Quote(absl::string_view text) {
  if (text.size() <= kQuotedBytesMax) return absl::StrCat("'", text, "'");
  size_t end = kQuotedBytesMax;
  // Not in the middle of a character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return absl::StrCat("'", text.substr(0, end), "…'");
}

}  // namespace tare::coordinator
