#include "base/token.h"

#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

namespace tare {

std::string RandomToken(size_t length) {
  static constexpr char kAlphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  constexpr unsigned kLetters = sizeof kAlphabet - 1;
  std::string token;
  while (token.size() < length) {
    uint8_t byte = 0;
    if (getrandom(&byte, 1, 0) != 1) abort();  // cannot fail for such a size on a booted kernel
    if (byte < 256 - 256 % kLetters) token.push_back(kAlphabet[byte % kLetters]);
  }
  return token;
}

}  // namespace tare
