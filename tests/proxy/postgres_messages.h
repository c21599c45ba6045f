// Messages of PostgreSQL's protocol, version 3, as bytes; the bodies are as short as they may be.

#ifndef TARE_TESTS_PROXY_POSTGRES_MESSAGES_H_
#define TARE_TESTS_PROXY_POSTGRES_MESSAGES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tare::proxy {

inline std::string BigEndian(uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(number >> shift));
  return bytes;
}

// A type and a length that need not be true.
inline std::string Header(char type, uint32_t length) {
  return absl::StrCat(std::string(1, type), BigEndian(length));
}

inline std::string Message(char type, absl::string_view body = "") {
  return absl::StrCat(Header(type, static_cast<uint32_t>(body.size() + 4)), body);
}

inline std::string StartupPacket(uint32_t code, absl::string_view body = "") {
  return absl::StrCat(BigEndian(static_cast<uint32_t>(body.size() + 8)), BigEndian(code), body);
}

inline std::string Startup() {
  return StartupPacket(3 << 16, absl::string_view("user\0me\0\0", 9));
}
inline std::string TlsRequest() { return StartupPacket(80877103); }
inline std::string GssRequest() { return StartupPacket(80877104); }
inline std::string CancelRequest() { return StartupPacket(80877102, "12345678"); }

inline std::string Query() { return Message('Q', absl::string_view("select 1\0", 9)); }
inline std::string Parse() { return Message('P', absl::string_view("\0select 1\0\0\0", 12)); }
inline std::string Bind() { return Message('B', std::string(8, '\0')); }
inline std::string Describe() { return Message('D', absl::string_view("P\0", 2)); }
inline std::string Execute() { return Message('E', std::string(5, '\0')); }
inline std::string Sync() { return Message('S'); }
inline std::string CopyData(size_t bytes) { return Message('d', std::string(bytes, 'x')); }
inline std::string CopyDone() { return Message('c'); }

inline std::string Authenticated() { return Message('R', BigEndian(0)); }
inline std::string Ready() { return Message('Z', "I"); }
inline std::string CommandComplete() { return Message('C', absl::string_view("SELECT 1\0", 9)); }
inline std::string Error() { return Message('E', absl::string_view("SERROR\0\0", 8)); }
inline std::string CopyIn() { return Message('G', std::string(3, '\0')); }

}  // namespace tare::proxy

#endif  // TARE_TESTS_PROXY_POSTGRES_MESSAGES_H_
