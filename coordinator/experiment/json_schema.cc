// MakeJsonSchema: experiment.proto as a JSON Schema. Structure comes from the descriptors compiled
// in, descriptions from the comments of the embedded descriptors, which alone keep them.

#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "coordinator/experiment/embedded.h"
#include "coordinator/experiment/experiment.h"
#include "coordinator/experiment/spelling.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "nlohmann/json.hpp"

namespace tare::coordinator {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptorSet;
using google::protobuf::SourceLocation;
using Json = nlohmann::ordered_json;

constexpr char kNamePattern[] = "^[A-Za-z][A-Za-z0-9_.-]{0,63}$";
constexpr char kDurationPattern[] = "^([0-9]+(\\.[0-9]+)?(ns|us|ms|s|min|h)|0)$";
constexpr char kPercentPattern[] = "^[0-9]+(\\.[0-9]+)?%$";

class SchemaMaker {
 public:
  SchemaMaker() {
    FileDescriptorSet set;
    const absl::string_view bytes = EmbeddedDescriptors();
    // The bytes are part of this program: anything else is a broken build.
    if (!set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) std::abort();
    for (const auto& file : set.file()) {
      if (comments_.BuildFile(file) == nullptr) std::abort();
    }
  }

  Json MakeRoot() {
    const Descriptor& type = *v1::Experiment::descriptor();
    Json root = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "tare experiment"}};
    root.update(MakeMapping(type, false));
    root["type"] = "object";
    return root;
  }

 private:
  // The comment before an element, on one line.
  template <typename Element>
  static std::string CommentOf(const Element* element) {
    SourceLocation location;
    if (element == nullptr || !element->GetSourceLocation(&location)) return "";
    std::string text = location.leading_comments;
    absl::StripAsciiWhitespace(&text);
    return absl::StrReplaceAll(text, {{"\n ", " "}, {"\n", " "}});
  }

  std::string DescriptionOf(const FieldDescriptor& field) const {
    std::string text = CommentOf(comments_.FindFieldByName(field.full_name()));
    if (text.empty() && field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      text = CommentOf(comments_.FindMessageTypeByName(field.message_type()->full_name()));
    }
    return text;
  }

  // A message written as a mapping. Nothing written after the key stands for an empty one.
  Json MakeMapping(const Descriptor& type, bool is_named) {
    Json properties = Json::object();
    Json required = Json::array();
    Json alternatives = Json::array();
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      if (is_named && field.name() == "name") continue;
      properties[KeyOf(field)] = MakeField(field);
      if (RuleOf(field).required()) required.push_back(KeyOf(field));
      if (field.real_containing_oneof() != nullptr) {
        alternatives.push_back({{"required", {KeyOf(field)}}});
      }
    }
    Json schema = {{"type", {"object", "null"}},
                   {"properties", std::move(properties)},
                   {"additionalProperties", false}};
    if (!required.empty()) {
      schema["type"] = "object";
      schema["required"] = std::move(required);
    }
    if (!alternatives.empty()) schema["oneOf"] = std::move(alternatives);
    return schema;
  }

  Json MakeField(const FieldDescriptor& field) {
    Json schema = field.is_repeated() ? MakeRepeated(field) : MakeValue(field);
    if (const std::string text = DescriptionOf(field); !text.empty()) schema["description"] = text;
    return schema;
  }

  Json MakeRepeated(const FieldDescriptor& field) {
    const v1::Rule& rule = RuleOf(field);
    if (rule.is_named()) {
      Json schema = {{"type", rule.minimum() > 0 ? Json("object") : Json({"object", "null"})},
                     {"propertyNames", {{"pattern", kNamePattern}}},
                     {"additionalProperties", MakeNamed(field)}};
      AddBounds(rule, "minProperties", "maxProperties", &schema);
      return schema;
    }
    Json list = {{"type", "array"}, {"items", MakeValue(field)}};
    AddBounds(rule, "minItems", "maxItems", &list);
    if (!rule.accepts_scalar()) return list;
    return {{"anyOf", {MakeValue(field), std::move(list)}}};
  }

  Json MakeNamed(const FieldDescriptor& field) {
    const Descriptor& type = *field.message_type();
    if (&type == v1::ConfigValue::descriptor()) return MakeConfigValue();
    if (const FieldDescriptor* sole = SoleFieldOf(type); sole != nullptr) return MakeField(*sole);
    return MakeMapping(type, true);
  }

  static Json MakeConfigValue() {
    return {{"type", {"number", "boolean", "string", "array"}},
            {"items", {{"type", {"number", "boolean", "string"}}}}};
  }

  Json MakeValue(const FieldDescriptor& field) {
    const v1::Rule& rule = RuleOf(field);
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_MESSAGE:
        if (field.message_type() == v1::ConfigValue::descriptor()) return MakeConfigValue();
        return MakeMapping(*field.message_type(), false);
      case FieldDescriptor::CPPTYPE_ENUM:
        return {{"enum", WordsOf(*field.enum_type())}};
      case FieldDescriptor::CPPTYPE_STRING:
        if (rule.is_name()) return {{"type", "string"}, {"pattern", kNamePattern}};
        // Numbers and flags are taken as they are written: [sleep, 1].
        return {{"type", {"string", "number", "boolean"}}};
      default:
        return MakeNumber(rule);
    }
  }

  static Json MakeNumber(const v1::Rule& rule) {
    if (rule.unit() == v1::UNIT_UNSPECIFIED) {
      Json schema = {{"type", "integer"}};
      AddBounds(rule, "minimum", "maximum", &schema);
      return schema;
    }
    const bool is_duration = rule.unit() == v1::UNIT_DURATION_NS;
    Json alternatives = Json::array();
    alternatives.push_back(
        {{"type", "string"}, {"pattern", is_duration ? kDurationPattern : kPercentPattern}});
    if (is_duration && rule.minimum() <= 0) alternatives.push_back({{"const", 0}});
    Json words = Json::array();
    for (const v1::Word& word : rule.words()) words.push_back(word.text());
    if (!words.empty()) alternatives.push_back({{"enum", std::move(words)}});
    return {{"anyOf", std::move(alternatives)}};
  }

  static void AddBounds(const v1::Rule& rule, const char* minimum, const char* maximum,
                        Json* schema) {
    if (rule.has_minimum()) (*schema)[minimum] = rule.minimum();
    if (rule.has_maximum()) (*schema)[maximum] = rule.maximum();
  }

  DescriptorPool comments_;
};

}  // namespace

std::string MakeJsonSchema() { return SchemaMaker().MakeRoot().dump(2) + "\n"; }

}  // namespace tare::coordinator
