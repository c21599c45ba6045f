#include "coordinator/experiment/message_reader.h"

#include <cstdlib>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "coordinator/experiment/scalar_reader.h"
#include "coordinator/experiment/spelling.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/rule.pb.h"

namespace tare::coordinator {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::OneofDescriptor;
using google::protobuf::Reflection;
using Kind = YamlNode::Kind;

absl::string_view KindText(Kind kind) {
  switch (kind) {
    case Kind::kScalar:
      return "a single value";
    case Kind::kList:
      return "a list";
    case Kind::kMapping:
      return "a mapping";
    default:
      return "nothing";
  }
}

std::string KeyViolation(const std::string& path, absl::string_view what) {
  return path.empty() ? std::string(what) : absl::StrCat(path, ": ", what);
}

// For text where a mapping was meant, and for keys with a colon inside.
std::string ColonAdvice(absl::string_view text) {
  return absl::StrContains(text, ":") ? "put a space after the ':'" : "";
}

bool IsConfigValue(const FieldDescriptor& field) {
  return field.message_type() == v1::ConfigValue::descriptor();
}

class MessageReader {
 public:
  MessageReader(PositionMap* positions, Violations* violations)
      : positions_(positions), violations_(violations), scalars_(violations) {}

  // `is_named`: the message's `name` came from the key above, so it is not a key here.
  void ReadFields(const YamlNode& node, const std::string& path, bool is_named, Message* message) {
    if (!CheckKind(node, Kind::kMapping, path, KeysText(*message->GetDescriptor(), is_named))) {
      return;
    }
    for (const YamlNode& child : node.children) {
      const FieldDescriptor* field = FindField(*message->GetDescriptor(), child.key, is_named);
      if (field == nullptr) {
        RefuseKey(child, path, is_named, *message->GetDescriptor());
        continue;
      }
      const std::string child_path = PathTo(path, child.key);
      positions_->Record(child_path, child);
      if (IsExcludedByOneof(*field, child, path, *message)) continue;
      if (field->is_repeated()) {
        ReadRepeated(child, child_path, *field, message);
      } else {
        ReadSingle(child, child_path, *field, message);
      }
    }
    CheckRequired(node, path, is_named, *message->GetDescriptor());
  }

 private:
  // True when the node is of the kind. Nothing written passes for an empty list or mapping.
  bool CheckKind(const YamlNode& node, Kind kind, const std::string& path,
                 const std::string& accepted) {
    if (node.kind == kind || node.kind == Kind::kEmpty) return true;
    if (node.kind == Kind::kRefused) return false;
    violations_->Add(
        node.position,
        KeyViolation(path, absl::StrCat("needs ", KindText(kind), ", found ",
                                        node.kind == Kind::kScalar ? Quote(node.text)
                                                                   : KindText(node.kind))),
        absl::StrCat("accepted: ", accepted), ColonAdvice(node.text));
    return false;
  }

  static bool IsHidden(const FieldDescriptor& field, bool is_named) {
    return is_named && field.name() == "name";
  }

  static std::vector<std::string> KeysOf(const Descriptor& type, bool is_named) {
    std::vector<std::string> keys;
    for (int i = 0; i < type.field_count(); ++i) {
      if (!IsHidden(*type.field(i), is_named)) keys.push_back(KeyOf(*type.field(i)));
    }
    return keys;
  }

  static std::string KeysText(const Descriptor& type, bool is_named) {
    return absl::StrCat("a mapping with the keys ", absl::StrJoin(KeysOf(type, is_named), ", "));
  }

  static const FieldDescriptor* FindField(const Descriptor& type, absl::string_view key,
                                          bool is_named) {
    for (int i = 0; i < type.field_count(); ++i) {
      if (!IsHidden(*type.field(i), is_named) && KeyOf(*type.field(i)) == key) return type.field(i);
    }
    return nullptr;
  }

  void RefuseKey(const YamlNode& child, const std::string& path, bool is_named,
                 const Descriptor& type) {
    const std::vector<std::string> keys = KeysOf(type, is_named);
    std::string advice = ColonAdvice(child.key);
    if (const auto nearest = NearestWord(child.key, keys); advice.empty() && nearest.has_value()) {
      advice = absl::StrCat("write '", *nearest, "'");
    }
    violations_->Add(child.key_position,
                     KeyViolation(path, absl::StrCat("unknown key ", Quote(child.key))),
                     absl::StrCat("known keys: ", absl::StrJoin(keys, ", ")), advice);
  }

  // A second member would silently clear the first.
  bool IsExcludedByOneof(const FieldDescriptor& field, const YamlNode& child,
                         const std::string& path, const Message& message) {
    const OneofDescriptor* oneof = field.real_containing_oneof();
    if (oneof == nullptr || !message.GetReflection()->HasOneof(message, oneof)) return false;
    const FieldDescriptor* first = message.GetReflection()->GetOneofFieldDescriptor(message, oneof);
    violations_->Add(child.key_position,
                     KeyViolation(path, absl::StrCat("'", KeyOf(*first), "' and '", KeyOf(field),
                                                     "' exclude each other")),
                     "", "remove one of the two");
    return true;
  }

  void CheckRequired(const YamlNode& node, const std::string& path, bool is_named,
                     const Descriptor& type) {
    auto is_written = [&node](const FieldDescriptor& field) {
      for (const YamlNode& child : node.children) {
        if (child.key == KeyOf(field)) return true;
      }
      return false;
    };
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      if (!RuleOf(field).required() || IsHidden(field, is_named) || is_written(field)) continue;
      violations_->Add(node.position,
                       KeyViolation(path, absl::StrCat("key '", KeyOf(field), "' is missing")));
    }
    for (int i = 0; i < type.real_oneof_decl_count(); ++i) {
      std::vector<std::string> members;
      bool is_any_written = false;
      for (int j = 0; j < type.oneof_decl(i)->field_count(); ++j) {
        members.push_back(KeyOf(*type.oneof_decl(i)->field(j)));
        is_any_written = is_any_written || is_written(*type.oneof_decl(i)->field(j));
      }
      if (is_any_written) continue;
      violations_->Add(node.position, KeyViolation(path, "does not say what it is"),
                       absl::StrCat("accepted: one of ", absl::StrJoin(members, ", ")));
    }
  }

  void ReadSingle(const YamlNode& node, const std::string& path, const FieldDescriptor& field,
                  Message* message) {
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      ReadFields(node, path, false, message->GetReflection()->MutableMessage(message, &field));
    } else {
      scalars_.Read(node, path, field, message);
    }
  }

  void ReadRepeated(const YamlNode& node, const std::string& path, const FieldDescriptor& field,
                    Message* message) {
    const v1::Rule& rule = RuleOf(field);
    if (rule.is_named()) {
      if (!CheckKind(node, Kind::kMapping, path, "a mapping of names")) return;
      for (const YamlNode& child : node.children) {
        ReadNamed(child, PathTo(path, child.key), field, message);
      }
    } else if (rule.accepts_scalar() && node.kind == Kind::kScalar) {
      ReadLoneItem(node, path, field, message);
    } else {
      if (!CheckKind(node, Kind::kList, path,
                     absl::StrCat("a list; each item ", AcceptedText(field)))) {
        return;
      }
      for (size_t i = 0; i < node.children.size(); ++i) {
        ReadItem(node.children[i], PathTo(path, static_cast<int>(i)), field, message);
      }
    }
    const auto count = static_cast<int64_t>(node.children.size());
    const bool is_lone = node.kind == Kind::kScalar;
    if (!is_lone && ((rule.has_minimum() && count < rule.minimum()) ||
                     (rule.has_maximum() && count > rule.maximum()))) {
      const std::string least = absl::StrCat(rule.minimum(), " or more");
      const std::string range = absl::StrCat(rule.minimum(), " to ", rule.maximum());
      violations_->Add(node.key_position,
                       KeyViolation(path, absl::StrCat("has ", count, " entries")),
                       absl::StrCat("accepted: ", rule.has_maximum() ? range : least));
    }
  }

  // A single value that stands for a list of one.
  void ReadLoneItem(const YamlNode& node, const std::string& path, const FieldDescriptor& field,
                    Message* message) {
    if (node.text.find_first_of(" \t\n") != std::string::npos) {
      std::vector<std::string> words =
          absl::StrSplit(node.text, absl::ByAnyChar(" \t\n"), absl::SkipEmpty());
      violations_->Add(
          node.position,
          KeyViolation(path, absl::StrCat(Quote(node.text), " is one word with spaces")),
          "nothing splits it into words",
          absl::StrCat("write a list: [", absl::StrJoin(words, ", "), "]"));
      return;
    }
    ReadItem(node, PathTo(path, 0), field, message);
  }

  void ReadItem(const YamlNode& node, const std::string& path, const FieldDescriptor& field,
                Message* message) {
    positions_->Record(path, node);
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      scalars_.Read(node, path, field, message);
      return;
    }
    Message* element = message->GetReflection()->AddMessage(message, &field);
    if (IsConfigValue(field)) {
      scalars_.ReadConfigValue(node, path, static_cast<v1::ConfigValue*>(element));
    } else {
      ReadFields(node, path, false, element);
    }
  }

  // One entry of a mapping of names.
  void ReadNamed(const YamlNode& node, const std::string& path, const FieldDescriptor& field,
                 Message* message) {
    positions_->Record(path, node);
    const Descriptor& type = *field.message_type();
    const FieldDescriptor& name_field = *type.FindFieldByName("name");
    Message* element = message->GetReflection()->AddMessage(message, &field);
    element->GetReflection()->SetString(element, &name_field, node.key);
    if (!IsName(node.key)) {
      violations_->Add(node.key_position,
                       KeyViolation(path, absl::StrCat(Quote(node.key), " is not a name")),
                       absl::StrCat("accepted: ", AcceptedText(name_field)), ColonAdvice(node.key));
      return;
    }
    if (IsConfigValue(field)) {
      scalars_.ReadConfigValue(node, path, static_cast<v1::ConfigValue*>(element));
    } else if (const FieldDescriptor* sole = SoleFieldOf(type); sole != nullptr) {
      ReadRepeated(node, path, *sole, element);
      if (IsConfigValue(*sole)) NameLevels(node.key, *sole, element);
    } else {
      ReadFields(node, path, true, element);
    }
  }

  // Levels are settings with their factor's name.
  static void NameLevels(const std::string& name, const FieldDescriptor& levels, Message* factor) {
    const Reflection& reflection = *factor->GetReflection();
    for (int i = 0; i < reflection.FieldSize(*factor, &levels); ++i) {
      static_cast<v1::ConfigValue*>(reflection.MutableRepeatedMessage(factor, &levels, i))
          ->set_name(name);
    }
  }

  PositionMap* positions_;
  Violations* violations_;
  ScalarReader scalars_;
};

}  // namespace

void ReadMessage(const YamlNode& root, Message* message, PositionMap* positions,
                 Violations* violations) {
  MessageReader(positions, violations).ReadFields(root, "", false, message);
}

}  // namespace tare::coordinator
