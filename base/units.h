// Quantities as people write them: "250us", "5%", "512KiB".
//
// Parsing is strict: a unit is required (except for a plain zero duration), one number and one
// unit, no sign, no white space between. Results are exact integers; a value that is not a whole
// number of the target unit is refused rather than rounded.
//
// Pure functions, thread-safe. All return InvalidArgument with what would have been accepted.

#ifndef TARE_BASE_UNITS_H_
#define TARE_BASE_UNITS_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tare {

// "250us", "1.5ms", "2s", "3min", "1h", "40ns", "0" → nanoseconds.
absl::StatusOr<int64_t> ParseDurationNs(absl::string_view text);

// "5%", "0.25%" → parts per million (1 % is 10,000).
absl::StatusOr<int64_t> ParsePercentPpm(absl::string_view text);

// "4096B", "64KiB", "512MiB", "2GiB" → bytes.
absl::StatusOr<int64_t> ParseBytes(absl::string_view text);

// The shortest exact form that ParseDurationNs reads back to the same value: "250us", "1500us".
std::string FormatDurationExact(int64_t duration_ns);

// Three significant digits for people: "12.3 us", "1.25 ms", "3.10 s", "-450 ns".
std::string FormatDuration(double duration_ns);

// "512 MiB" and the like, for people.
std::string FormatBytes(int64_t bytes);

}  // namespace tare

#endif  // TARE_BASE_UNITS_H_
