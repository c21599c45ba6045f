// The Castagnoli checksum (RFC 3720), with which chunks and stored columns are guarded.
//
// Finds rot and torn writes; not a defence against a person who alters data on purpose. Pure
// function, thread-safe.

#ifndef TARE_BASE_CRC32C_H_
#define TARE_BASE_CRC32C_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace tare {

uint32_t Crc32c(absl::string_view bytes);

}  // namespace tare

#endif  // TARE_BASE_CRC32C_H_
