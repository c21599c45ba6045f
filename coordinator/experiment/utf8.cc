#include "coordinator/experiment/utf8.h"

#include <cstdint>

namespace tare::coordinator {
namespace {

uint8_t ByteAt(absl::string_view text, size_t index) { return static_cast<uint8_t>(text[index]); }

// The length of the well-formed character at `start`; 0 when there is none.
size_t CharacterLength(absl::string_view text, size_t start) {
  const uint8_t first = ByteAt(text, start);
  if (first < 0x20) return first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  if (first < 0x7F) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || start + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((ByteAt(text, start + i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values past U+10FFFF show in the second byte.
  const uint8_t second = ByteAt(text, start + 1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

}  // namespace

size_t FindByteThatIsNotText(absl::string_view text) {
  size_t offset = 0;
  while (offset < text.size()) {
    const size_t length = CharacterLength(text, offset);
    if (length == 0) return offset;
    offset += length;
  }
  return absl::string_view::npos;
}

}  // namespace tare::coordinator
