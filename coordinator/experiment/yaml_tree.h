// One YAML document as a tree whose every node knows where it stands.
//
// A small subset on purpose: mappings, lists and scalars. What YAML readers accept and people do
// not mean is a violation: keys written twice, anchors, aliases, merge keys, tags, a second
// document, text that is not UTF-8. Scalars stay text here; what they are is decided in scalar.h.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_YAML_TREE_H_
#define TARE_COORDINATOR_EXPERIMENT_YAML_TREE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/experiment/violations.h"

namespace tare::coordinator {

inline constexpr size_t kYamlDepthMax = 16;

struct YamlNode {
  enum class Kind {
    kEmpty,    // nothing written, '~' or 'null'
    kScalar,   //
    kList,     //
    kMapping,  //
    kRefused,  // already a violation; there is nothing to read
  };
  Kind kind = Kind::kEmpty;
  // Of an empty value: its key, or the list that it stands in.
  Position position;
  std::string text;
  bool is_quoted = false;
  // Of a mapping's child.
  std::string key;
  Position key_position;
  // In file order; keys are different.
  std::vector<YamlNode> children;
};

// The document, or nothing when it cannot be read on from; then there is a violation.
std::optional<YamlNode> ParseYaml(absl::string_view yaml, Violations* violations);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_YAML_TREE_H_
