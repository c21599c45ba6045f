// Durations and rates as people write them: "250us", "500/s".
//
// Strict: one number, one unit, no sign, no white space. Pure functions, thread-safe.

#ifndef TARE_WORKLOADS_LOAD_QUANTITY_H_
#define TARE_WORKLOADS_LOAD_QUANTITY_H_

#include <cstdint>
#include <optional>
#include <string>

namespace tare::load {

// "40ns", "250us", "1.5ms", "2s", "3min" → nanoseconds, at most an hour; nothing when it is none.
std::optional<int64_t> ParseDurationNs(const std::string& text);
inline constexpr char kDurationExpected[] =
    "expected a number with ns, us, ms, s or min, such as 250us";

// "500/s", "0.5/s" → operations a second, in [kRateMin, kRateMax]; nothing when it is none.
std::optional<double> ParseRate(const std::string& text);
inline constexpr double kRateMin = 1e-3;
inline constexpr double kRateMax = 1e7;
inline constexpr char kRateExpected[] = "expected a number with /s, from 0.001/s to 10000000/s";

// For messages: "3.10 ms", "499.9/s".
std::string FormatNs(int64_t ns);
std::string FormatRate(double rate);

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_QUANTITY_H_
