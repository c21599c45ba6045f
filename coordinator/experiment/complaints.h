// Violations told by the path of what is wrong: "arms.one.uses[0]: there is no service 'bd'".
//
// For what is found after reading, when only paths are left. Not thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_COMPLAINTS_H_
#define TARE_COORDINATOR_EXPERIMENT_COMPLAINTS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/experiment/positions.h"
#include "coordinator/experiment/violations.h"
#include "google/protobuf/repeated_ptr_field.h"

namespace tare::coordinator {

class Complaints {
 public:
  // Both must outlive it.
  Complaints(const PositionMap& positions, Violations* violations)
      : positions_(positions), violations_(violations) {}

  // The place is that of the key, or of the value, at `path`.
  void AtKey(const std::string& path, absl::string_view what, absl::string_view detail = "",
             absl::string_view action = "") const;
  void AtValue(const std::string& path, absl::string_view what, absl::string_view detail = "",
               absl::string_view action = "") const;

  bool IsWritten(const std::string& path) const { return positions_.Contains(path); }

 private:
  const PositionMap& positions_;
  Violations* violations_;
};

// "write 'copy'" when one of `names` is near `name`, else nothing.
std::string NearAdvice(const std::string& name, const std::vector<std::string>& names);

template <typename Named>
std::vector<std::string> NamesOf(const google::protobuf::RepeatedPtrField<Named>& items) {
  std::vector<std::string> names;
  for (const Named& item : items) names.push_back(item.name());
  return names;
}

inline bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_COMPLAINTS_H_
