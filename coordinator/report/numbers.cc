#include "coordinator/report/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/units.h"
#include "coordinator/report/page.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

struct DurationUnit {
  const char* name;
  double ns;
};
constexpr std::array<DurationUnit, 4> kDurationUnits = {
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};

constexpr int kDurationDigits = 4;
constexpr int kPercentDigits = 3;
constexpr int kDecimalsMax = 3;

double LargestOf(const std::vector<std::optional<double>>& values) {
  double largest = 0;
  for (const std::optional<double>& value : values) {
    if (value && std::isfinite(*value)) largest = std::max(largest, std::abs(*value));
  }
  return largest;
}

// Decimals that leave `digits` digits of a value of this magnitude.
int DecimalsFor(double magnitude, int digits) {
  int before_point = 1;
  while (before_point < digits && magnitude >= std::pow(10.0, before_point)) ++before_point;
  return std::min(digits - before_point, kDecimalsMax);
}

std::string PadLeft(const std::string& text, int width) {
  return absl::StrCat(std::string(static_cast<size_t>(std::max(width - WidthOf(text), 0)), ' '),
                      text);
}

int WidestOf(const std::vector<std::string>& texts) {
  int width = 0;
  for (const std::string& text : texts) width = std::max(width, WidthOf(text));
  return width;
}

}  // namespace

Scale Scale::ForDurations(const std::vector<std::optional<double>>& values_ns) {
  const double largest = LargestOf(values_ns);
  Scale scale;
  for (const DurationUnit& unit : kDurationUnits) {
    if (unit.ns > 1 && largest < unit.ns) break;
    scale.unit_ = unit.name;
    scale.divisor_ = unit.ns;
  }
  scale.decimals_ = DecimalsFor(largest / scale.divisor_, kDurationDigits);
  if (scale.divisor_ == 1) scale.decimals_ = std::min(scale.decimals_, 1);  // no clock tells more
  return scale;
}

Scale Scale::ForPercent(const std::vector<std::optional<double>>& shares) {
  Scale scale;
  scale.unit_ = "%";
  scale.divisor_ = 0.01;
  scale.decimals_ = DecimalsFor(LargestOf(shares) * 100, kPercentDigits);
  return scale;
}

std::string Scale::Format(std::optional<double> value) const {
  if (!value || !std::isfinite(*value)) return kAbsent;
  const std::string text = fmt::format("{:.{}f}", *value / divisor_, decimals_);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  return is_zero && text.front() == '-' ? text.substr(1) : text;
}

std::string Scale::FormatSigned(std::optional<double> value) const {
  const std::string text = Format(value);
  const bool is_zero = text.find_first_not_of("0.") == std::string::npos;
  return text == kAbsent || text.front() == '-' || is_zero ? text : "+" + text;
}

std::optional<double> NumberIf(bool is_present, double value) {
  return is_present ? std::optional(value) : std::nullopt;
}

Range RangeOf(const v1::Estimate& estimate) {
  return {NumberIf(estimate.has_value_ns(), estimate.value_ns()),
          NumberIf(estimate.has_low_ns(), estimate.low_ns()),
          NumberIf(estimate.has_high_ns(), estimate.high_ns())};
}

Range RangeOf(const v1::Ratio& ratio) {
  return {NumberIf(ratio.has_value(), ratio.value() - 1),
          NumberIf(ratio.has_low(), ratio.low() - 1), NumberIf(ratio.has_high(), ratio.high() - 1)};
}

std::vector<std::optional<double>> ValuesOf(const std::vector<Range>& ranges) {
  std::vector<std::optional<double>> values;
  for (const Range& range : ranges) {
    values.insert(values.end(), {range.value, range.low, range.high});
  }
  return values;
}

std::vector<std::string> FormatRanges(const std::vector<Range>& ranges, const Scale& scale) {
  std::vector<std::string> values, lows, highs;
  for (const Range& range : ranges) {
    const bool has_interval = range.low && range.high;
    values.push_back(scale.FormatSigned(range.value));
    lows.push_back(has_interval ? scale.Format(range.low) : "");
    highs.push_back(has_interval ? scale.Format(range.high) : "");
  }
  const int value_width = WidestOf(values);
  const int low_width = WidestOf(lows);
  const int high_width = WidestOf(highs);
  std::vector<std::string> texts;
  for (size_t i = 0; i < ranges.size(); ++i) {
    std::string text = PadLeft(values[i], value_width);
    if (!lows[i].empty()) {
      absl::StrAppend(&text, " [", PadLeft(lows[i], low_width), ", ", PadLeft(highs[i], high_width),
                      "]");
    } else if (ranges[i].value) {
      absl::StrAppend(&text, " no interval");
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string FormatOne(std::optional<double> value_ns) {
  return value_ns && std::isfinite(*value_ns) ? FormatDuration(*value_ns) : kAbsent;
}

std::string FormatShare(std::optional<double> share) {
  if (!share || !std::isfinite(*share)) return kAbsent;
  return absl::StrCat(Scale::ForPercent({share}).Format(share), " %");
}

}  // namespace tare::coordinator
