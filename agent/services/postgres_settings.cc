#include "agent/services/postgres_settings.h"

#include <algorithm>
#include <charconv>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "base/status.h"

namespace tare::agent {
namespace {

// What tare itself decides: without these it would not find the server or hear what it says.
constexpr absl::string_view kOwnSettings[] = {
    "config_file",
    "data_directory",
    "external_pid_file",
    "hba_file",
    "ident_file",
    "include",
    "include_dir",
    "include_if_exists",
    "lc_messages",
    "listen_addresses",
    "log_destination",
    "logging_collector",
    "port",
    "unix_socket_directories",
};

bool IsSettingName(absl::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
  });
}

std::string TextOf(const v1::ConfigValue& setting) {
  switch (setting.value_case()) {
    case v1::ConfigValue::kText:
      return setting.text();
    case v1::ConfigValue::kInteger:
      return absl::StrCat(setting.integer());
    case v1::ConfigValue::kReal: {
      char digits[32];  // the shortest text that reads back as the same number
      const auto end = std::to_chars(digits, digits + sizeof digits, setting.real()).ptr;
      return std::string(digits, end);
    }
    case v1::ConfigValue::kFlag:
      return setting.flag() ? "on" : "off";
    case v1::ConfigValue::kList:
      return absl::StrJoin(setting.list().values(), ",");
    case v1::ConfigValue::VALUE_NOT_SET:
      return "";
  }
  return "";
}

// A server loads libraries by name from its own directory, but by path from anywhere.
bool RunsForeignCode(absl::string_view name, absl::string_view value) {
  if (absl::EndsWith(name, "_command") || name == "dynamic_library_path") return true;
  const bool is_library = absl::EndsWith(name, "_libraries") || absl::EndsWith(name, "_library");
  return is_library && absl::StrContains(value, "/");
}

}  // namespace

absl::StatusOr<std::string> RenderSettings(
    const google::protobuf::RepeatedPtrField<v1::ConfigValue>& settings) {
  std::string lines;
  for (const v1::ConfigValue& setting : settings) {
    const std::string name = absl::AsciiStrToLower(setting.name());
    const std::string value = TextOf(setting);
    if (!IsSettingName(name)) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("'", setting.name(), "' is not the name of a server setting"));
    }
    if (std::find(std::begin(kOwnSettings), std::end(kOwnSettings), name) !=
        std::end(kOwnSettings)) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("server setting '", name, "' is decided by tare"))
          .Try("remove it, or give an existing server with 'dsn'");
    }
    if (RunsForeignCode(name, value)) {
      return MakeError(absl::StatusCode::kInvalidArgument,
                       absl::StrCat("server setting '", name, "' would run other programs"))
          .Detail("agents run only programs that their owner allowed")
          .Try("remove it, or give an existing server with 'dsn'");
    }
    const std::string quoted =
        absl::StrReplaceAll(value, {{"\\", "\\\\"}, {"'", "''"}, {"\n", "\\n"}, {"\r", "\\r"}});
    absl::StrAppend(&lines, name, " = '", quoted, "'\n");
  }
  return lines;
}

}  // namespace tare::agent
