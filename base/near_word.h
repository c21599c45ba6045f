// The word that a person probably meant.
//
// Pure function, thread-safe.

#ifndef TARE_BASE_NEAR_WORD_H_
#define TARE_BASE_NEAR_WORD_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare {

// The candidate that `word` is most probably a misspelling of; the first of several that are
// equally near, nothing when none is near. Words of more than 64 bytes are near nothing.
std::optional<std::string> NearWord(absl::string_view word,
                                    const std::vector<std::string>& candidates);

}  // namespace tare

#endif  // TARE_BASE_NEAR_WORD_H_
