// Who is whose child, read from /proc at one moment.
//
// The picture is out of date as soon as it is taken: those who must find everybody look again until
// nobody is left. Standard library only. Thread-safe.

#ifndef TARE_AGENT_LAUNCH_PROCESS_TABLE_H_
#define TARE_AGENT_LAUNCH_PROCESS_TABLE_H_

#include <sys/types.h>

#include <vector>

namespace tare::agent {

struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t session = 0;
  bool is_zombie = false;
};

// All processes that can be seen. Those that end while it reads are left out.
std::vector<ProcessEntry> ReadProcesses();

// `roots` and all their descendants among `processes`.
std::vector<ProcessEntry> WithDescendants(const std::vector<ProcessEntry>& processes,
                                          const std::vector<pid_t>& roots);

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_PROCESS_TABLE_H_
