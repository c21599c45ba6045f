#include "base/near_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare {
namespace {

constexpr size_t kWordBytesMax = 64;  // the distance costs the product of the lengths

// Insertions, deletions and replacements of one byte that turn `a` into `b` (Levenshtein).
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> NearWord(absl::string_view word,
                                    const std::vector<std::string>& candidates) {
  if (word.size() > kWordBytesMax) return std::nullopt;
  // Short words are near many others, so they may differ less.
  size_t nearest = word.size() <= 3 ? 2 : word.size() <= 6 ? 3 : 4;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    const size_t distance = EditDistance(word, candidate);
    if (distance >= nearest || distance >= candidate.size()) continue;
    nearest = distance;
    found = candidate;
  }
  return found;
}

}  // namespace tare
