#include "coordinator/import/file_errors.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tare::coordinator {

void FileErrors::Add(const FileLine& where, absl::string_view what, absl::string_view accepted) {
  ++count_;
  if (texts_.size() == kFileErrorsShownMax) return;
  texts_.push_back(absl::StrCat(where.file, ":", where.line, ": ", what,
                                accepted.empty() ? "" : "\n  accepted: ", accepted));
}

absl::Status FileErrors::ToStatus() const {
  if (empty()) return absl::OkStatus();
  std::string text = absl::StrJoin(texts_, "\n");
  if (count_ > texts_.size()) absl::StrAppend(&text, "\n", count_ - texts_.size(), " more errors");
  return absl::InvalidArgumentError(text);
}

}  // namespace tare::coordinator
