// Single YAML values read into the fields of a message: text, numbers, units, words, settings.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_SCALAR_READER_H_
#define TARE_COORDINATOR_EXPERIMENT_SCALAR_READER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "coordinator/experiment/violations.h"
#include "coordinator/experiment/yaml_tree.h"
#include "google/protobuf/message.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// Letters, digits, '-', '_' and '.', starting with a letter, at most 64.
bool IsName(absl::string_view text);

class ScalarReader {
 public:
  explicit ScalarReader(Violations* violations) : violations_(violations) {}

  // Sets the field, or adds an element when it is repeated. `path` is for messages.
  void Read(const YamlNode& node, const std::string& path,
            const google::protobuf::FieldDescriptor& field, google::protobuf::Message* message);

  // Sets the value of a setting: a scalar by its own type, or a list of scalars as text.
  void ReadConfigValue(const YamlNode& node, const std::string& path, v1::ConfigValue* value);

 private:
  bool CheckIsScalar(const YamlNode& node, const std::string& path, const std::string& accepted);
  void ReadText(const YamlNode& node, const std::string& path,
                const google::protobuf::FieldDescriptor& field, google::protobuf::Message* message);
  void ReadWord(const YamlNode& node, const std::string& path,
                const google::protobuf::FieldDescriptor& field, google::protobuf::Message* message);
  void ReadNumber(const YamlNode& node, const std::string& path,
                  const google::protobuf::FieldDescriptor& field,
                  google::protobuf::Message* message);
  // The number that the node stands for, in the field's unit, words and bounds.
  std::optional<int64_t> ParseNumber(const YamlNode& node, const std::string& path,
                                     const google::protobuf::FieldDescriptor& field);

  Violations* violations_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_SCALAR_READER_H_
