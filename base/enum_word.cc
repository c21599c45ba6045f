#include "base/enum_word.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace tare {

std::string EnumWord(const google::protobuf::EnumValueDescriptor* value) {
  // The prefix is that of the zero value, <PREFIX>_UNSPECIFIED.
  const absl::string_view prefix =
      absl::StripSuffix(value->type()->FindValueByNumber(0)->name(), "UNSPECIFIED");
  return absl::AsciiStrToLower(absl::StripPrefix(value->name(), prefix));
}

std::string YamlWord(const google::protobuf::EnumValueDescriptor* value) {
  if (value == nullptr || value->number() == 0) return "not said";
  return absl::StrReplaceAll(EnumWord(value), {{"_", "-"}});
}

}  // namespace tare
