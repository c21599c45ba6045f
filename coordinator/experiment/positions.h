// Where in the file each value of an experiment was written.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_POSITIONS_H_
#define TARE_COORDINATOR_EXPERIMENT_POSITIONS_H_

#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "coordinator/experiment/violations.h"
#include "coordinator/experiment/yaml_tree.h"

namespace tare::coordinator {

// Where each key and value stands, by path: "design.sets", "arms.copy.config.plans",
// "compare[0].baseline". Names with a point are quoted: "sweep.'wire.delay'".
class PositionMap {
 public:
  void Record(const std::string& path, const YamlNode& node);

  bool Contains(const std::string& path) const { return places_.contains(path); }
  // The beginning of the file for a path that was not written.
  Position OfValue(const std::string& path) const;
  Position OfKey(const std::string& path) const;

 private:
  struct Place {
    Position value;
    Position key;  // of list items: the value's
  };
  std::map<std::string, Place> places_;
};

// "path.name", with the name quoted where it needs to be.
std::string PathTo(absl::string_view path, absl::string_view name);
// "path[index]"
std::string PathTo(absl::string_view path, int index);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_POSITIONS_H_
