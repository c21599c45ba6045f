#include "coordinator/experiment/complaints.h"

#include "absl/strings/str_cat.h"
#include "coordinator/experiment/spelling.h"

namespace tare::coordinator {

void Complaints::AtKey(const std::string& path, absl::string_view what, absl::string_view detail,
                       absl::string_view action) const {
  violations_->Add(positions_.OfKey(path), absl::StrCat(path, ": ", what), detail, action);
}

void Complaints::AtValue(const std::string& path, absl::string_view what, absl::string_view detail,
                         absl::string_view action) const {
  violations_->Add(positions_.OfValue(path), absl::StrCat(path, ": ", what), detail, action);
}

std::string NearAdvice(const std::string& name, const std::vector<std::string>& names) {
  const auto nearest = NearestWord(name, names);
  return nearest.has_value() ? absl::StrCat("write '", *nearest, "'") : "";
}

}  // namespace tare::coordinator
