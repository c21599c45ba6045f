// Is this text, or bytes that only look like it?

#ifndef TARE_COORDINATOR_EXPERIMENT_UTF8_H_
#define TARE_COORDINATOR_EXPERIMENT_UTF8_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace tare::coordinator {

// The offset of the first byte that does not belong to well-formed UTF-8, or is a control character
// other than tab, line feed and carriage return; npos when there is none. Thread-safe.
size_t FindByteThatIsNotText(absl::string_view text);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_EXPERIMENT_UTF8_H_
