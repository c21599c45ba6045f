// How the fields and enum values of experiment.proto are written in YAML.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_SPELLING_H_
#define TARE_COORDINATOR_EXPERIMENT_SPELLING_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"
#include "tare/v1/rule.pb.h"

namespace tare::coordinator {

const v1::Rule& RuleOf(const google::protobuf::FieldDescriptor& field);

// The field's name without its unit: known_delay_ns is written `known_delay`.
std::string KeyOf(const google::protobuf::FieldDescriptor& field);

// ORDER_RANDOM is written `random`, PAIRING_IN_PROCESS `in-process`.
std::string WordOf(const google::protobuf::EnumValueDescriptor& value);

// All words of an enum but its unspecified zero.
std::vector<std::string> WordsOf(const google::protobuf::EnumDescriptor& type);

// The one field beside `name` of a message that is written as that field alone: `plans: [10, 40]`
// is a Factor. Null when the message is written as a mapping.
const google::protobuf::FieldDescriptor* SoleFieldOf(const google::protobuf::Descriptor& type);

// What a value of the field (an element of it, when repeated) may be, in words.
std::string AcceptedText(const google::protobuf::FieldDescriptor& field);

// The candidate that `word` is most probably a misspelling of.
std::optional<std::string> NearestWord(absl::string_view word,
                                       const std::vector<std::string>& candidates);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_SPELLING_H_
