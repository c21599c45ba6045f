// Times in files of measured data: plain numbers whose unit is in the name of their column.
//
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_IMPORT_DURATION_UNIT_H_
#define TARE_COORDINATOR_IMPORT_DURATION_UNIT_H_

#include <array>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace tare::coordinator {

struct DurationUnit {
  absl::string_view name;
  double ns = 1;
};

inline constexpr std::array<DurationUnit, 3> kDurationUnits = {
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}}};

// A sample is no longer; what is, was written in another unit.
inline constexpr double kSampleNsMax = 24 * 3600e9;
inline constexpr char kSampleAccepted[] = "a number from 0 to 24 hours";

// To the nearest nanosecond; nothing when it is below 0, above kSampleNsMax or no number.
std::optional<int64_t> ToNs(double value, const DurationUnit& unit);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_IMPORT_DURATION_UNIT_H_
