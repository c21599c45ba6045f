#include "coordinator/experiment/positions.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tare::coordinator {

void PositionMap::Record(const std::string& path, const YamlNode& node) {
  places_[path] = {node.position, node.key.empty() ? node.position : node.key_position};
}

Position PositionMap::OfValue(const std::string& path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? Position{} : found->second.value;
}

Position PositionMap::OfKey(const std::string& path) const {
  const auto found = places_.find(path);
  return found == places_.end() ? Position{} : found->second.key;
}

std::string PathTo(absl::string_view path, absl::string_view name) {
  const std::string step =
      absl::StrContains(name, ".") ? absl::StrCat("'", name, "'") : std::string(name);
  return path.empty() ? step : absl::StrCat(path, ".", step);
}

std::string PathTo(absl::string_view path, int index) {
  return absl::StrCat(path, "[", index, "]");
}

}  // namespace tare::coordinator
