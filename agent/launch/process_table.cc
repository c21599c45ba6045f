#include "agent/launch/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

namespace tare::agent {
namespace {

// Reads pid, state, parent and session of /proc/PID/stat. The name in parentheses may itself hold
// ')' and spaces, so what follows is found from the last one.
bool ReadEntry(pid_t pid, ProcessEntry* entry) {
  const std::string path = "/proc/" + std::to_string(pid) + "/stat";
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char text[512];
  const ssize_t count = read(fd, text, sizeof text - 1);
  close(fd);
  if (count <= 0) return false;
  text[count] = '\0';
  const char* after_name = strrchr(text, ')');
  if (after_name == nullptr) return false;
  char state = 0;
  int parent = 0;
  int session = 0;
  if (sscanf(after_name + 1, " %c %d %*d %d", &state, &parent, &session) != 3) return false;
  *entry = {.pid = pid, .parent = parent, .session = session, .is_zombie = state == 'Z'};
  return true;
}

}  // namespace

std::vector<ProcessEntry> ReadProcesses() {
  std::vector<ProcessEntry> processes;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir("/proc"), closedir);
  if (directory == nullptr) return processes;
  while (const dirent* item = readdir(directory.get())) {
    const pid_t pid = atoi(item->d_name);
    ProcessEntry entry;
    if (pid > 0 && ReadEntry(pid, &entry)) processes.push_back(entry);
  }
  return processes;
}

std::vector<ProcessEntry> WithDescendants(const std::vector<ProcessEntry>& processes,
                                          const std::vector<pid_t>& roots) {
  std::vector<ProcessEntry> found;
  for (const ProcessEntry& process : processes) {
    if (std::find(roots.begin(), roots.end(), process.pid) != roots.end()) found.push_back(process);
  }
  for (size_t at = 0; at < found.size(); ++at) {
    const pid_t parent = found[at].pid;
    for (const ProcessEntry& process : processes) {
      if (process.parent == parent) found.push_back(process);
    }
  }
  return found;
}

}  // namespace tare::agent
