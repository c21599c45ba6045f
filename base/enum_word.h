// Enum values as words. Pure functions, thread-safe.

#ifndef TARE_BASE_ENUM_WORD_H_
#define TARE_BASE_ENUM_WORD_H_

#include <string>

#include "google/protobuf/descriptor.h"

namespace tare {

// Without the enum's prefix, in lower case: CHECK_STATUS_NOT_RUN → "not_run".
std::string EnumWord(const google::protobuf::EnumValueDescriptor* value);

// As people write it: PAIRING_IN_PROCESS → "in-process"; "not said" when unspecified.
std::string YamlWord(const google::protobuf::EnumValueDescriptor* value);

}  // namespace tare

#endif  // TARE_BASE_ENUM_WORD_H_
