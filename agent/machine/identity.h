// Who the machine is and which program runs on it.
//
// Pure reads of files; thread-safe. `root` is "/" except in tests, which pass a directory of
// fixtures. What cannot be read is left empty or absent, never guessed.

#ifndef TARE_AGENT_MACHINE_IDENTITY_H_
#define TARE_AGENT_MACHINE_IDENTITY_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

v1::Machine ReadMachine(const std::string& root);

// Hex SHA-256 of a file's bytes.
absl::StatusOr<std::string> FileSha256(const std::string& path);

// Fills program_path, program_sha256, build_id (of the ELF file, or empty), libraries (as mapped by
// `pid` now, with their build ids) and environment_sha256. NotFound when the program cannot be
// read.
absl::Status IdentifyProcess(pid_t pid, const std::string& program_path,
                             const std::vector<std::string>& environment, v1::Process* process);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_IDENTITY_H_
