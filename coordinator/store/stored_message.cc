#include "coordinator/store/stored_message.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/status.h"

namespace tare::coordinator {

absl::Status CheckStored(absl::string_view what, absl::string_view bytes, int64_t crc32c) {
  const uint32_t actual = Crc32c(bytes);
  if (actual == crc32c) return absl::OkStatus();
  return MakeError(absl::StatusCode::kDataLoss, absl::StrCat(what, " is damaged in the store"))
      .Detail(absl::StrFormat("crc32c is %08x, was %08x when it was written", actual, crc32c))
      .Try("restore the store from a copy, and check the disk");
}

absl::Status ParseStored(absl::string_view what, absl::string_view bytes, int64_t crc32c,
                         google::protobuf::MessageLite* message) {
  RETURN_IF_ERROR(CheckStored(what, bytes, crc32c));
  if (message->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::OkStatus();
  }
  return MakeError(absl::StatusCode::kDataLoss, absl::StrCat(what, " cannot be read"));
}

}  // namespace tare::coordinator
