// Texts with places to fill: "--port={port}". `{{` and `}}` stand for single braces.
//
// Pure functions, thread-safe.

#ifndef TARE_BASE_PLACEHOLDERS_H_
#define TARE_BASE_PLACEHOLDERS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tare {

// What `fill` says for each name, in its place. InvalidArgument for a brace without its partner or
// an empty name, with the position; and whatever `fill` says.
absl::StatusOr<std::string> FillPlaceholders(
    absl::string_view text,
    const std::function<absl::StatusOr<std::string>(const std::string& name)>& fill);

// The names, in order. Errors as above.
absl::StatusOr<std::vector<std::string>> PlaceholdersOf(absl::string_view text);

}  // namespace tare

#endif  // TARE_BASE_PLACEHOLDERS_H_
