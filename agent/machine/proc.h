// What /proc says about processes: where they ran, what they used, who their children are.
//
// Thread-safe reads. `root` is "/" except in tests, which pass a directory of fixtures. A process
// can go away at any moment, so everything is optional; what cannot be read is absent, never
// guessed.

#ifndef TARE_AGENT_MACHINE_PROC_H_
#define TARE_AGENT_MACHINE_PROC_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tare::agent {

// /proc counts CPU time in ticks of USER_HZ, which is 100 on every architecture that we build for.
inline constexpr int64_t kTickNs = 10'000'000;

// Most processes that are looked at in one pass.
inline constexpr size_t kProcessesMax = 65'536;

// One line of /proc/PID/stat: the process with all its threads, those that ended included.
struct ProcessStat {
  pid_t pid = 0;
  std::string name;
  int64_t faults_minor = 0;
  int64_t faults_major = 0;
  int64_t cpu_ticks = 0;           // user and system
  int64_t children_cpu_ticks = 0;  // of children that ended and were waited for
  int64_t start_ticks = 0;         // since boot: tells a process from a later one with its pid
  int cpu = 0;                     // that it runs on, or ran on last
};

// Sums over the threads that exist now.
struct ThreadTotals {
  std::optional<int64_t> cpu_ns;
  std::optional<int64_t> migrations;
  std::optional<int64_t> switches_voluntary;
  std::optional<int64_t> switches_involuntary;
};

std::optional<ProcessStat> ParseProcessStat(absl::string_view line);
std::optional<ProcessStat> ReadProcessStat(const std::string& root, pid_t pid);
ThreadTotals ReadThreadTotals(const std::string& root, pid_t pid);

// CPU time of the process so far. Both sources say too little, never too much: stat is cut to
// ticks, the threads' exact figures lack the threads that ended. So the greater one is the better
// one.
int64_t ProcessCpuNs(const ProcessStat& stat, const ThreadTotals& threads);

// All processes, unordered.
std::vector<ProcessStat> ReadAllProcesses(const std::string& root);

// `ancestors` that exist and their descendants, each once, in ascending order. Absent when this
// kernel does not list children (CONFIG_PROC_CHILDREN).
std::optional<std::vector<pid_t>> ReadProcessTrees(const std::string& root,
                                                   const std::vector<pid_t>& ancestors);

// CPU time so far of these processes and of children they have waited for. The difference of two
// such sums over a process tree also holds what ended in between.
int64_t ReadCpuNs(const std::string& root, const std::vector<pid_t>& pids);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_PROC_H_
