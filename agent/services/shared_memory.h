// Shared memory of a PostgreSQL server that was killed before it could remove it.
//
// A server that is stopped removes its own, so this is only for one that died with its warden.
// Thread-safe.

#ifndef TARE_AGENT_SERVICES_SHARED_MEMORY_H_
#define TARE_AGENT_SERVICES_SHARED_MEMORY_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare::agent {

struct SharedMemory {
  std::vector<int> segments;       // System V ids
  std::vector<std::string> files;  // below /dev/shm
};

// What of this kind `maps` shows, the text of the postmaster's /proc/PID/maps. Segments that only
// its children have mapped (parallel queries, statistics) are not among them.
SharedMemory SharedMemoryIn(absl::string_view maps);

// Removes it. Requires: the server and all its processes are gone.
void RemoveSharedMemory(const SharedMemory& memory);

}  // namespace tare::agent

#endif  // TARE_AGENT_SERVICES_SHARED_MEMORY_H_
