#include "workloads/load/quantity.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace tare::load {
namespace {

constexpr double kDurationNsMax = 3.6e12;

// A number in plain decimals and what follows it.
std::optional<std::pair<double, std::string>> SplitNumber(const std::string& text) {
  if (text.empty() || text[0] < '0' || text[0] > '9') return std::nullopt;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (parsed.ec != std::errc() || !std::isfinite(number)) return std::nullopt;
  return std::pair(number, std::string(parsed.ptr, end));
}

std::string Formatted(const char* format, double value, const char* unit) {
  char buffer[64];
  const int size = std::snprintf(buffer, sizeof buffer, format, value, unit);
  return std::string(buffer, static_cast<size_t>(size));
}

}  // namespace

std::optional<int64_t> ParseDurationNs(const std::string& text) {
  constexpr std::pair<const char*, double> kUnits[] = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}};
  const auto split = SplitNumber(text);
  if (!split.has_value()) return std::nullopt;
  for (const auto& [unit, scale] : kUnits) {
    if (split->second != unit) continue;
    const double ns = split->first * scale;
    if (ns > kDurationNsMax) return std::nullopt;
    return std::llround(ns);
  }
  return std::nullopt;
}

std::optional<double> ParseRate(const std::string& text) {
  const auto split = SplitNumber(text);
  if (!split.has_value() || split->second != "/s") return std::nullopt;
  if (split->first < kRateMin || split->first > kRateMax) return std::nullopt;
  return split->first;
}

std::string FormatNs(int64_t ns) {
  const auto value = static_cast<double>(ns);
  if (value >= 1e9) return Formatted("%.3g %s", value / 1e9, "s");
  if (value >= 1e6) return Formatted("%.3g %s", value / 1e6, "ms");
  if (value >= 1e3) return Formatted("%.3g %s", value / 1e3, "us");
  return Formatted("%.0f %s", value, "ns");
}

std::string FormatRate(double rate) { return Formatted("%.1f%s", rate, "/s"); }

}  // namespace tare::load
