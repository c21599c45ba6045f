#include "agent/launch/orphans.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "agent/launch/process_table.h"
#include "base/clock.h"

namespace tare::agent {
namespace {

constexpr absl::Duration kSweepTimeMax = absl::Seconds(5);

// Held while a warden is spawned, so that a sweep never takes it for an orphan.
struct Registry {
  absl::Mutex mutex;
  std::set<pid_t> wardens ABSL_GUARDED_BY(mutex);
};

Registry& TheRegistry() {
  static Registry* const registry = new Registry;  // lives as long as any thread
  return *registry;
}

std::vector<pid_t> OrphansAmong(const std::vector<ProcessEntry>& processes,
                                const std::set<pid_t>& wardens) {
  const pid_t own_session = getsid(0);
  std::vector<pid_t> orphans;
  for (const ProcessEntry& process : processes) {
    if (process.parent == getpid() && process.session != own_session &&
        !wardens.contains(process.pid)) {
      orphans.push_back(process.pid);
    }
  }
  return orphans;
}

}  // namespace

absl::StatusOr<pid_t> RegisterWarden(const std::function<absl::StatusOr<pid_t>()>& spawn) {
  Registry& registry = TheRegistry();
  absl::MutexLock lock(&registry.mutex);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  absl::StatusOr<pid_t> warden = spawn();
  if (warden.ok()) registry.wardens.insert(*warden);
  return warden;
}

void ForgetWarden(pid_t warden) {
  Registry& registry = TheRegistry();
  absl::MutexLock lock(&registry.mutex);
  registry.wardens.erase(warden);
}

void EndOrphans() {
  Registry& registry = TheRegistry();
  absl::MutexLock lock(&registry.mutex);
  const absl::Duration give_up_at = Clock::Real()->Monotonic() + kSweepTimeMax;
  while (true) {
    const std::vector<ProcessEntry> processes = ReadProcesses();
    const std::vector<pid_t> orphans = OrphansAmong(processes, registry.wardens);
    if (orphans.empty()) break;
    for (const ProcessEntry& process : WithDescendants(processes, orphans)) {
      kill(process.pid, SIGKILL);
    }
    for (pid_t orphan : orphans) waitpid(orphan, nullptr, WNOHANG);
    if (Clock::Real()->Monotonic() >= give_up_at) break;
    Clock::Real()->Wait(absl::Milliseconds(2));
  }
}

}  // namespace tare::agent
