#include "base/placeholders.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare {
namespace {

absl::Status Unmatched(absl::string_view text, size_t at, absl::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("'", text, "' has ", what, " at position ", at + 1))
      .Try("write {NAME}; a brace itself is {{ or }}");
}

}  // namespace

absl::StatusOr<std::string> FillPlaceholders(
    absl::string_view text,
    const std::function<absl::StatusOr<std::string>(const std::string& name)>& fill) {
  std::string filled;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c != '{' && c != '}') {
      filled.push_back(c);
    } else if (i + 1 < text.size() && text[i + 1] == c) {
      filled.push_back(c);
      ++i;
    } else if (c == '}') {
      return Unmatched(text, i, "a '}' without a '{'");
    } else {
      const size_t end = text.find('}', i);
      if (end == absl::string_view::npos) return Unmatched(text, i, "a '{' without a '}'");
      const std::string name(text.substr(i + 1, end - i - 1));
      if (name.empty()) return Unmatched(text, i, "an empty {}");
      ASSIGN_OR_RETURN(const std::string value, fill(name));
      filled += value;
      i = end;
    }
  }
  return filled;
}

absl::StatusOr<std::vector<std::string>> PlaceholdersOf(absl::string_view text) {
  std::vector<std::string> names;
  const auto collect = [&names](const std::string& name) -> absl::StatusOr<std::string> {
    names.push_back(name);
    return std::string();
  };
  RETURN_IF_ERROR(FillPlaceholders(text, collect).status());
  return names;
}

}  // namespace tare
