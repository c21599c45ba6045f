#include "coordinator/analysis/text.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/units.h"

namespace tare::coordinator {
namespace {

std::string FormatChange(double ratio) {
  const double percent = 100 * (ratio - 1);
  const double magnitude = std::abs(percent);
  const int decimals = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2;
  return absl::StrFormat("%+.*f %%", decimals, percent);
}

}  // namespace

std::string FormatConfigValue(const v1::ConfigValue& value) {
  switch (value.value_case()) {
    case v1::ConfigValue::kText:
      return value.text();
    case v1::ConfigValue::kInteger:
      return absl::StrCat(value.integer());
    case v1::ConfigValue::kReal:
      return absl::StrCat(value.real());
    case v1::ConfigValue::kFlag:
      return value.flag() ? "true" : "false";
    case v1::ConfigValue::kList:
      return absl::StrJoin(value.list().values(), ",");
    case v1::ConfigValue::VALUE_NOT_SET:
      break;
  }
  return "";
}

std::string NameCell(const v1::Cell& cell) {
  if (cell.has_delay_ns()) return absl::StrCat("delay=", FormatDurationExact(cell.delay_ns()));
  return absl::StrJoin(cell.levels(), ", ", [](std::string* out, const v1::ConfigValue& level) {
    absl::StrAppend(out, level.name(), "=", FormatConfigValue(level));
  });
}

std::string FormatEstimate(const v1::Estimate& estimate) {
  if (!estimate.has_value_ns()) return "unknown";
  const std::string value = FormatDuration(estimate.value_ns());
  if (!estimate.has_low_ns()) return value;
  return absl::StrCat(value, " [", FormatDuration(estimate.low_ns()), ", ",
                      FormatDuration(estimate.high_ns()), "]");
}

std::string FormatRatio(const v1::Ratio& ratio) {
  if (!ratio.has_value()) return "unknown";
  const std::string value = FormatChange(ratio.value());
  if (!ratio.has_low()) return value;
  return absl::StrCat(value, " [", FormatChange(ratio.low()), ", ", FormatChange(ratio.high()),
                      "]");
}

std::string Count(int64_t count, absl::string_view noun) {
  if (count == 1) return absl::StrCat("1 ", noun);
  return absl::StrCat(count, " ", noun, noun == "process" ? "es" : "s");
}

}  // namespace tare::coordinator
