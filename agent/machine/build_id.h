// The build id that the linker wrote into an ELF file: two files with the same id are the same
// build.
//
// Thread-safe. Reads the headers and notes only. Of 64-bit files; all that Debian 12 measures on
// is.

#ifndef TARE_AGENT_MACHINE_BUILD_ID_H_
#define TARE_AGENT_MACHINE_BUILD_ID_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tare::agent {

// Hex; empty when the file cannot be read, is not ELF (a script) or has no build id.
std::string ReadBuildId(const std::string& path);

// The build id in the bytes of one PT_NOTE segment, hex; empty when there is none.
std::string BuildIdOfNotes(absl::string_view notes);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_BUILD_ID_H_
