// The observer under libFuzzer: `./dev fuzz`. What must hold is in conversation.cc; ctest tries it
// on the corpus and on mutations of it.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/proxy/conversation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string violation =
      tare::proxy::FindViolation(absl::string_view(reinterpret_cast<const char*>(data), size));
  if (!violation.empty()) {
    std::fputs(violation.c_str(), stderr);
    std::abort();
  }
  return 0;
}
