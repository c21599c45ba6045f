// What a YAML scalar is: decided from its text and quotes alone.
//
// Not by yaml-cpp's conversions, which take 'no' for false, '010' for 8 and '.nan' for a number.
// Pure functions, thread-safe.

#ifndef TARE_COORDINATOR_EXPERIMENT_SCALAR_H_
#define TARE_COORDINATOR_EXPERIMENT_SCALAR_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tare/v1/experiment.pb.h"

namespace tare::coordinator {

// Sets the value: plain digits are an integer, a decimal or exponent makes a real, true and false
// are flags, anything else is text, and so is everything quoted. 'on', 'off', 'yes' and 'no' are
// text.
//
// InvalidArgument for what looks like a number and is read differently by different programs (a
// leading zero, 0x10, .nan) or has no exact value here (too large).
absl::Status ParseScalar(absl::string_view text, bool is_quoted, v1::ConfigValue* value);

// Digits with an optional '-', without leading zeros.
bool IsPlainInteger(absl::string_view text);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_SCALAR_H_
