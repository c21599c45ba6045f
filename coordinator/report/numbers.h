// Numbers of one column in one unit and with one count of decimals, so that they compare at a
// glance and their decimal points meet.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_REPORT_NUMBERS_H_
#define TARE_COORDINATOR_REPORT_NUMBERS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Stands in a table for a number that could not be computed.
inline constexpr char kAbsent[] = "-";

// Unit and decimals that show the largest of the added values with four digits (durations) or three
// (percentages).
class Scale {
 public:
  // Absent, infinite and undefined values are left out.
  static Scale ForDurations(const std::vector<std::optional<double>>& values_ns);
  static Scale ForPercent(const std::vector<std::optional<double>>& shares);

  // "ns", "us", "ms", "s" or "%".
  absl::string_view unit() const { return unit_; }

  // Without the unit; kAbsent when there is no finite value.
  std::string Format(std::optional<double> value) const;
  // The same with '+' before values above 0.
  std::string FormatSigned(std::optional<double> value) const;

 private:
  absl::string_view unit_;  // of static storage
  double divisor_ = 1;
  int decimals_ = 0;
};

// `value`, or nothing when the report does not have it.
std::optional<double> NumberIf(bool is_present, double value);

// A value with its interval, both signed as candidate - baseline.
struct Range {
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
};
Range RangeOf(const v1::Estimate& estimate);
// Ratio - 1, so that no difference is 0.
Range RangeOf(const v1::Ratio& ratio);

std::vector<std::optional<double>> ValuesOf(const std::vector<Range>& ranges);

// "+331.2 [322.1, 340.3]", all of one width; without interval "+331.2 no interval"; kAbsent without
// a value.
std::vector<std::string> FormatRanges(const std::vector<Range>& ranges, const Scale& scale);

// One number with its unit, for a sentence: "12.1 us"; kAbsent when absent.
std::string FormatOne(std::optional<double> value_ns);

// "5.0 %" with three digits.
std::string FormatShare(std::optional<double> share);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_NUMBERS_H_
