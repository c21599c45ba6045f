// A message read back from the store: checksum first, then parsed.
//
// Pure function, thread-safe.

#ifndef TARE_COORDINATOR_STORE_STORED_MESSAGE_H_
#define TARE_COORDINATOR_STORE_STORED_MESSAGE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message_lite.h"

namespace tare::coordinator {

// DataLoss, naming `what`, when `bytes` have not the checksum that was stored beside them.
absl::Status CheckStored(absl::string_view what, absl::string_view bytes, int64_t crc32c);

// Also DataLoss when they are not such a message.
absl::Status ParseStored(absl::string_view what, absl::string_view bytes, int64_t crc32c,
                         google::protobuf::MessageLite* message);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_STORE_STORED_MESSAGE_H_
