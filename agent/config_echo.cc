#include "agent/config_echo.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status.h"

namespace tare::agent {
namespace {

std::string ValueText(const v1::ConfigValue& value) {
  switch (value.value_case()) {
    case v1::ConfigValue::kText:
      return absl::StrCat("'", value.text(), "'");
    case v1::ConfigValue::kInteger:
      return absl::StrCat(value.integer());
    case v1::ConfigValue::kReal:
      return absl::StrCat(value.real());
    case v1::ConfigValue::kFlag:
      return value.flag() ? "true" : "false";
    case v1::ConfigValue::kList:
      return absl::StrCat("[", absl::StrJoin(value.list().values(), ", "), "]");
    case v1::ConfigValue::VALUE_NOT_SET:
      return "nothing";
  }
  return "nothing";
}

std::optional<double> NumberOf(const v1::ConfigValue& value) {
  if (value.has_integer()) return static_cast<double>(value.integer());
  if (value.has_real()) return value.real();
  return std::nullopt;
}

bool SameValue(const v1::ConfigValue& a, const v1::ConfigValue& b) {
  if (NumberOf(a).has_value()) return NumberOf(a) == NumberOf(b);
  return a.value_case() == b.value_case() && ValueText(a) == ValueText(b);
}

absl::Status CheckArm(const v1::SetupArm& asked, const v1::SetupArm& echoed) {
  for (const v1::ConfigValue& value : asked.config()) {
    const v1::ConfigValue* found = nullptr;
    for (const v1::ConfigValue& candidate : echoed.config()) {
      if (candidate.name() == value.name()) found = &candidate;
    }
    if (found != nullptr && SameValue(value, *found)) continue;
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("arm '", asked.name(), "': the workload did not take setting '",
                                  value.name(), "'"))
        .Detail(absl::StrCat("asked for ", ValueText(value), ", it reports ",
                             found == nullptr ? "no such setting" : ValueText(*found)))
        .Try("check the setting's name and value against the workload's documentation");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckConfigEcho(const v1::Setup& asked, const v1::WorkloadReady& ready) {
  if (asked.arms_size() != ready.arms_size()) {
    return MakeError(absl::StatusCode::kFailedPrecondition,
                     absl::StrCat("the workload reports ", ready.arms_size(), " arms, asked for ",
                                  asked.arms_size()));
  }
  for (int i = 0; i < asked.arms_size(); ++i) {
    RETURN_IF_ERROR(CheckArm(asked.arms(i), ready.arms(i)));
  }
  return absl::OkStatus();
}

}  // namespace tare::agent
