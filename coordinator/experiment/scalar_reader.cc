#include "coordinator/experiment/scalar_reader.h"

#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/experiment/scalar.h"
#include "coordinator/experiment/spelling.h"
#include "tare/v1/rule.pb.h"

namespace tare::coordinator {
namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Kind = YamlNode::Kind;

constexpr size_t kNameBytesMax = 64;

// Without bounds of its own a number is bounded by its type.
bool IsInBounds(int64_t value, const FieldDescriptor& field) {
  const v1::Rule& rule = RuleOf(field);
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_UINT64 && value < 0) return false;
  if (rule.has_minimum() && value < rule.minimum()) return false;
  if (rule.has_maximum() && value > rule.maximum()) return false;
  return field.cpp_type() != FieldDescriptor::CPPTYPE_INT32 ||
         (value >= std::numeric_limits<int32_t>::min() &&
          value <= std::numeric_limits<int32_t>::max());
}

absl::StatusOr<int64_t> ParseQuantity(absl::string_view text, v1::Unit unit) {
  return unit == v1::UNIT_DURATION_NS ? ParseDurationNs(text) : ParsePercentPpm(text);
}

}  // namespace

bool IsName(absl::string_view text) {
  if (text.empty() || text.size() > kNameBytesMax) return false;
  if (!absl::ascii_isalpha(static_cast<unsigned char>(text[0]))) return false;
  for (char c : text) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.') {
      return false;
    }
  }
  return true;
}

void ScalarReader::Read(const YamlNode& node, const std::string& path, const FieldDescriptor& field,
                        Message* message) {
  if (!CheckIsScalar(node, path, AcceptedText(field))) return;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING:
      return ReadText(node, path, field, message);
    case FieldDescriptor::CPPTYPE_ENUM:
      return ReadWord(node, path, field, message);
    default:
      return ReadNumber(node, path, field, message);
  }
}

bool ScalarReader::CheckIsScalar(const YamlNode& node, const std::string& path,
                                 const std::string& accepted) {
  if (node.kind == Kind::kScalar) return true;
  if (node.kind == Kind::kRefused) return false;
  const absl::string_view found = node.kind == Kind::kEmpty ? "has no value"
                                  : node.kind == Kind::kList
                                      ? "needs a single value, found a list"
                                      : "needs a single value, found a mapping";
  violations_->Add(node.position, absl::StrCat(path, ": ", found),
                   absl::StrCat("accepted: ", accepted));
  return false;
}

void ScalarReader::ReadText(const YamlNode& node, const std::string& path,
                            const FieldDescriptor& field, Message* message) {
  if (RuleOf(field).is_name() && !IsName(node.text)) {
    violations_->Add(node.position, absl::StrCat(path, ": ", Quote(node.text), " is not a name"),
                     absl::StrCat("accepted: ", AcceptedText(field)));
    return;
  }
  const Reflection& reflection = *message->GetReflection();
  if (field.is_repeated()) {
    reflection.AddString(message, &field, node.text);
  } else {
    reflection.SetString(message, &field, node.text);
  }
}

void ScalarReader::ReadWord(const YamlNode& node, const std::string& path,
                            const FieldDescriptor& field, Message* message) {
  const EnumDescriptor& type = *field.enum_type();
  for (int i = 1; i < type.value_count(); ++i) {
    if (WordOf(*type.value(i)) != node.text) continue;
    const Reflection& reflection = *message->GetReflection();
    if (field.is_repeated()) {
      reflection.AddEnum(message, &field, type.value(i));
    } else {
      reflection.SetEnum(message, &field, type.value(i));
    }
    return;
  }
  const auto nearest = NearestWord(node.text, WordsOf(type));
  violations_->Add(node.position, absl::StrCat(path, ": unknown word ", Quote(node.text)),
                   absl::StrCat("accepted: ", AcceptedText(field)),
                   nearest.has_value() ? absl::StrCat("write '", *nearest, "'") : "");
}

void ScalarReader::ReadNumber(const YamlNode& node, const std::string& path,
                              const FieldDescriptor& field, Message* message) {
  const Reflection& reflection = *message->GetReflection();
  // The one type that reaches past int64.
  uint64_t large = 0;
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_UINT64 && !node.is_quoted &&
      IsPlainInteger(node.text) && absl::SimpleAtoi(node.text, &large)) {
    return reflection.SetUInt64(message, &field, large);
  }
  const std::optional<int64_t> number = ParseNumber(node, path, field);
  if (!number.has_value()) return;
  if (field.is_repeated()) {
    reflection.AddInt64(message, &field, *number);
  } else if (field.cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
    reflection.SetInt32(message, &field, static_cast<int32_t>(*number));
  } else {
    reflection.SetInt64(message, &field, *number);
  }
}

std::optional<int64_t> ScalarReader::ParseNumber(const YamlNode& node, const std::string& path,
                                                 const FieldDescriptor& field) {
  const v1::Rule& rule = RuleOf(field);
  for (const v1::Word& word : rule.words()) {
    if (word.text() == node.text) return word.value();
  }
  const std::string accepted = absl::StrCat("accepted: ", AcceptedText(field));
  int64_t number = 0;
  bool is_representable = true;
  if (rule.unit() != v1::UNIT_UNSPECIFIED) {
    const absl::StatusOr<int64_t> quantity = ParseQuantity(node.text, rule.unit());
    if (!quantity.ok()) {
      violations_->Add(node.position, absl::StrCat(path, ": ", PartsOf(quantity.status()).what),
                       accepted, IsPlainInteger(node.text) ? "add the unit" : "");
      return std::nullopt;
    }
    number = *quantity;
  } else if (node.is_quoted) {
    violations_->Add(node.position,
                     absl::StrCat(path, ": ", Quote(node.text), " is text because it is quoted"),
                     accepted, "remove the quotes");
    return std::nullopt;
  } else if (!IsPlainInteger(node.text)) {
    v1::ConfigValue other;
    const absl::Status status = ParseScalar(node.text, false, &other);
    const std::string what = status.ok() ? absl::StrCat(Quote(node.text), " is not a whole number")
                                         : PartsOf(status).what;
    violations_->Add(node.position, absl::StrCat(path, ": ", what), accepted);
    return std::nullopt;
  } else {
    is_representable = absl::SimpleAtoi(node.text, &number);
  }
  if (is_representable && IsInBounds(number, field)) return number;
  violations_->Add(node.position, absl::StrCat(path, ": ", Quote(node.text), " is out of bounds"),
                   accepted);
  return std::nullopt;
}

void ScalarReader::ReadConfigValue(const YamlNode& node, const std::string& path,
                                   v1::ConfigValue* value) {
  const std::string accepted = "a number, true, false, text, or a list of these";
  if (node.kind == Kind::kList) {
    v1::TextList* list = value->mutable_list();
    for (const YamlNode& item : node.children) {
      if (CheckIsScalar(item, path, "a list of numbers and text")) list->add_values(item.text);
    }
    return;
  }
  if (!CheckIsScalar(node, path, accepted)) return;
  const absl::Status status = ParseScalar(node.text, node.is_quoted, value);
  if (status.ok()) return;
  const ErrorParts parts = PartsOf(status);
  violations_->Add(node.position, absl::StrCat(path, ": ", parts.what), parts.detail, parts.action);
}

}  // namespace tare::coordinator
