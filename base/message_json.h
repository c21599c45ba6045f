// Any message as JSON for people and scripts.
//
// Unlike protobuf's own form: names as in the .proto, every field present, null where a value is
// absent, integers as plain numbers, enum values as words. Made by reflection. Thread-safe.

#ifndef TARE_BASE_MESSAGE_JSON_H_
#define TARE_BASE_MESSAGE_JSON_H_

#include <string>

#include "google/protobuf/message.h"

namespace tare {

// On one line when `indent` is negative, else indented by it. Bytes are base64; invalid UTF-8 is
// replaced.
std::string FormatJson(const google::protobuf::Message& message, int indent);

}  // namespace tare

#endif  // TARE_BASE_MESSAGE_JSON_H_
