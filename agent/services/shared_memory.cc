#include "agent/services/shared_memory.h"

#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace tare::agent {

// A line of maps is "range rights offset device inode path"; the inode of a System V segment is its
// id.
SharedMemory SharedMemoryIn(absl::string_view maps) {
  SharedMemory memory;
  for (absl::string_view line : absl::StrSplit(maps, '\n')) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (fields.size() < 6) continue;
    int segment = 0;
    if (absl::StartsWith(fields[5], "/SYSV") && absl::SimpleAtoi(fields[4], &segment)) {
      memory.segments.push_back(segment);
    }
    if (absl::StartsWith(fields[5], "/dev/shm/PostgreSQL.")) memory.files.emplace_back(fields[5]);
  }
  return memory;
}

void RemoveSharedMemory(const SharedMemory& memory) {
  for (int segment : memory.segments) shmctl(segment, IPC_RMID, nullptr);
  for (const std::string& file : memory.files) unlink(file.c_str());
}

}  // namespace tare::agent
