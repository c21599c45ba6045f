#include "base/message_json.h"

#include <string>

#include "absl/strings/escaping.h"
#include "base/enum_word.h"
#include "google/protobuf/descriptor.h"
#include "nlohmann/json.hpp"

namespace tare {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using Json = nlohmann::ordered_json;

// Zero is UNSPECIFIED in every enum: nothing was said, hence null.
Json EnumJson(const EnumValueDescriptor* value) {
  if (value->number() == 0) return nullptr;
  return EnumWord(value);
}

Json StringJson(const FieldDescriptor* field, const std::string& text) {
  return field->type() == FieldDescriptor::TYPE_BYTES ? absl::Base64Escape(text) : text;
}

Json MessageJson(const Message& message);

// Infinite and undefined doubles become null when the tree is written.
Json SingularJson(const Message& message, const FieldDescriptor* field) {
  const Reflection* reflection = message.GetReflection();
  if (field->has_presence() && !reflection->HasField(message, field)) return nullptr;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection->GetInt32(message, field);
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection->GetInt64(message, field);
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection->GetUInt32(message, field);
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection->GetUInt64(message, field);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection->GetDouble(message, field);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection->GetFloat(message, field);
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection->GetBool(message, field);
    case FieldDescriptor::CPPTYPE_ENUM:
      return EnumJson(reflection->GetEnum(message, field));
    case FieldDescriptor::CPPTYPE_STRING:
      return StringJson(field, reflection->GetString(message, field));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return MessageJson(reflection->GetMessage(message, field));
  }
  return nullptr;
}

Json ElementJson(const Message& message, const FieldDescriptor* field, int index) {
  const Reflection* reflection = message.GetReflection();
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return reflection->GetRepeatedInt32(message, field, index);
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection->GetRepeatedInt64(message, field, index);
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection->GetRepeatedUInt32(message, field, index);
    case FieldDescriptor::CPPTYPE_UINT64:
      return reflection->GetRepeatedUInt64(message, field, index);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection->GetRepeatedDouble(message, field, index);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection->GetRepeatedFloat(message, field, index);
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection->GetRepeatedBool(message, field, index);
    case FieldDescriptor::CPPTYPE_ENUM:
      return EnumJson(reflection->GetRepeatedEnum(message, field, index));
    case FieldDescriptor::CPPTYPE_STRING:
      return StringJson(field, reflection->GetRepeatedString(message, field, index));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return MessageJson(reflection->GetRepeatedMessage(message, field, index));
  }
  return nullptr;
}

Json MessageJson(const Message& message) {
  Json object = Json::object();
  const auto* descriptor = message.GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor* field = descriptor->field(i);
    Json& value = object[field->name()];
    if (!field->is_repeated()) {
      value = SingularJson(message, field);
      continue;
    }
    value = Json::array();
    const int count = message.GetReflection()->FieldSize(message, field);
    for (int j = 0; j < count; ++j) value.push_back(ElementJson(message, field, j));
  }
  return object;
}

}  // namespace

std::string FormatJson(const Message& message, int indent) {
  return MessageJson(message).dump(indent, ' ', /*ensure_ascii=*/false,
                                   Json::error_handler_t::replace);
}

}  // namespace tare
