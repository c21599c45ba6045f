#include "base/units.h"

#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "fmt/format.h"

namespace tare {
namespace {

struct UnitScale {
  absl::string_view suffix;
  int64_t scale;
};

constexpr std::array<UnitScale, 6> kDurationUnits = {{{"ns", 1},
                                                      {"us", 1'000},
                                                      {"ms", 1'000'000},
                                                      {"s", 1'000'000'000},
                                                      {"min", 60'000'000'000},
                                                      {"h", 3'600'000'000'000}}};
constexpr std::array<UnitScale, 1> kPercentUnits = {{{"%", 10'000}}};
constexpr std::array<UnitScale, 4> kByteUnits = {
    {{"B", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}}};

absl::Status Refuse(absl::string_view kind, absl::string_view text, absl::string_view accepted) {
  return MakeError(absl::StatusCode::kInvalidArgument, absl::StrCat("'", text, "' is not a ", kind))
      .Detail(absl::StrCat("accepted: ", accepted));
}

// Decimal digits with at most one point, scaled exactly; false on overflow or a remainder.
bool ScaleExactly(absl::string_view digits, int64_t scale, int64_t* result) {
  int64_t whole = 0;
  int64_t fraction_scale = scale;
  int64_t fraction = 0;
  bool after_point = false;
  bool any_digit = false;
  for (char c : digits) {
    if (c == '.') {
      if (after_point) return false;
      after_point = true;
      continue;
    }
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return false;
    any_digit = true;
    const int64_t digit = c - '0';
    if (after_point) {
      if (digit != 0 && fraction_scale % 10 != 0) return false;
      fraction_scale /= 10;
      fraction += digit * fraction_scale;
    } else {
      if (whole > (std::numeric_limits<int64_t>::max() - digit) / 10) return false;
      whole = whole * 10 + digit;
    }
  }
  if (!any_digit || whole > (std::numeric_limits<int64_t>::max() - fraction) / scale) return false;
  *result = whole * scale + fraction;
  return true;
}

absl::StatusOr<int64_t> ParseQuantity(absl::string_view kind, absl::string_view text,
                                      std::span<const UnitScale> units,
                                      absl::string_view accepted) {
  size_t end = 0;
  while (end < text.size() &&
         (absl::ascii_isdigit(static_cast<unsigned char>(text[end])) || text[end] == '.')) {
    ++end;
  }
  const absl::string_view suffix = text.substr(end);
  for (const UnitScale& unit : units) {
    if (suffix != unit.suffix) continue;
    int64_t result = 0;
    if (!ScaleExactly(text.substr(0, end), unit.scale, &result)) break;
    return result;
  }
  return Refuse(kind, text, accepted);
}

}  // namespace

absl::StatusOr<int64_t> ParseDurationNs(absl::string_view text) {
  if (text == "0") return 0;
  return ParseQuantity("duration", text, kDurationUnits,
                       "a number with ns, us, ms, s, min or h, such as 250us");
}

absl::StatusOr<int64_t> ParsePercentPpm(absl::string_view text) {
  return ParseQuantity("percentage", text, kPercentUnits, "a number with %, such as 5%");
}

absl::StatusOr<int64_t> ParseBytes(absl::string_view text) {
  return ParseQuantity("size", text, kByteUnits, "a number with B, KiB, MiB or GiB, such as 64MiB");
}

std::string FormatDurationExact(int64_t duration_ns) {
  if (duration_ns == 0) return "0";
  for (size_t i = kDurationUnits.size(); i-- > 0;) {
    const UnitScale& unit = kDurationUnits[i];
    if (duration_ns % unit.scale == 0) {
      return absl::StrCat(duration_ns / unit.scale, unit.suffix);
    }
  }
  return absl::StrCat(duration_ns, "ns");
}

std::string FormatDuration(double duration_ns) {
  static constexpr std::array<UnitScale, 4> kShown = {
      {{"s", 1'000'000'000}, {"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}}};
  const double magnitude = std::abs(duration_ns);
  for (const UnitScale& unit : kShown) {
    const double scaled = magnitude / static_cast<double>(unit.scale);
    if (scaled < 0.9995 && unit.scale != 1) continue;
    const double value = duration_ns / static_cast<double>(unit.scale);
    const int decimals = scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f} {}", value, decimals, std::string(unit.suffix));
  }
  return fmt::format("{} ns", duration_ns);
}

std::string FormatBytes(int64_t bytes) {
  for (size_t i = kByteUnits.size(); i-- > 1;) {
    const double scaled = static_cast<double>(bytes) / static_cast<double>(kByteUnits[i].scale);
    if (scaled >= 1) return fmt::format("{:.3g} {}", scaled, std::string(kByteUnits[i].suffix));
  }
  return absl::StrCat(bytes, " B");
}

}  // namespace tare
