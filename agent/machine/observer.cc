#include "agent/machine/observer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "agent/machine/cgroup.h"
#include "agent/machine/counters.h"
#include "agent/machine/foreign_share.h"
#include "agent/machine/proc.h"
#include "base/clock.h"

namespace tare::agent {
namespace {

// One process at one moment.
struct ProcessLook {
  std::optional<ProcessStat> stat;
  ThreadTotals threads;
};

// All that is read at one end of a block.
struct MachineLook {
  absl::Duration at;
  MachineCounters counters;
  std::optional<int64_t> own_cpu_ns;
  std::vector<ProcessLook> processes;
};

template <typename Setter>
void SetDifference(std::optional<int64_t> earlier, std::optional<int64_t> now, Setter set) {
  if (const auto difference = Difference(earlier, now)) set(*difference);
}

// Counters are absent when the process ended, or another one has its pid now.
v1::Placement PlacementOf(const ObservedProcess& process, const ProcessLook& begin,
                          const ProcessLook& end) {
  v1::Placement placement;
  placement.set_process(process.name);
  placement.set_pid(process.pid);
  if (begin.stat.has_value()) placement.set_cpu_first(begin.stat->cpu);
  if (!begin.stat.has_value() || !end.stat.has_value() ||
      begin.stat->start_ticks != end.stat->start_ticks) {
    return placement;
  }
  placement.set_cpu_last(end.stat->cpu);
  placement.set_faults_minor(end.stat->faults_minor - begin.stat->faults_minor);
  placement.set_faults_major(end.stat->faults_major - begin.stat->faults_major);
  placement.set_cpu_ns(std::max<int64_t>(
      0, ProcessCpuNs(*end.stat, end.threads) - ProcessCpuNs(*begin.stat, begin.threads)));
  SetDifference(begin.threads.migrations, end.threads.migrations,
                [&](int64_t count) { placement.set_migrations(count); });
  SetDifference(begin.threads.switches_voluntary, end.threads.switches_voluntary,
                [&](int64_t count) { placement.set_switches_voluntary(count); });
  SetDifference(begin.threads.switches_involuntary, end.threads.switches_involuntary,
                [&](int64_t count) { placement.set_switches_involuntary(count); });
  return placement;
}

class ProcBlockObserver : public BlockObserver {
 public:
  ProcBlockObserver(const std::string& root, std::vector<pid_t> own_pids)
      : root_(root), own_pids_(std::move(own_pids)), throttle_files_(FindThrottleFiles(root)) {}

  void Begin(const std::vector<ObservedProcess>& processes) override {
    processes_ = processes;
    begin_ = Look();
  }

  v1::BlockEvidence End() override {
    const MachineLook end = Look();
    v1::BlockEvidence evidence;
    evidence.set_duration_ns(absl::ToInt64Nanoseconds(end.at - begin_.at));
    for (size_t i = 0; i < processes_.size(); ++i) {
      *evidence.add_placements() =
          PlacementOf(processes_[i], begin_.processes[i], end.processes[i]);
    }
    AddMachine(begin_, end, evidence);
    return evidence;
  }

 private:
  // The clock, the CPU times and our own time belong together, so they are read one after another.
  MachineLook Look() {
    MachineLook look;
    std::vector<pid_t> ours = own_pids_;
    for (const ObservedProcess& process : processes_) {
      ours.push_back(process.pid);
      look.processes.push_back(
          {ReadProcessStat(root_, process.pid), ReadThreadTotals(root_, process.pid)});
    }
    const auto trees = ReadProcessTrees(root_, ours);
    if (trees.has_value()) look.own_cpu_ns = ReadCpuNs(root_, *trees);
    look.at = Clock::Real()->Monotonic();
    look.counters = ReadMachineCounters(root_, throttle_files_);
    return look;
  }

  static void AddMachine(const MachineLook& begin, const MachineLook& end,
                         v1::BlockEvidence& evidence) {
    const MachineCounters& earlier = begin.counters;
    const MachineCounters& now = end.counters;
    if (earlier.cpu_times.has_value() && now.cpu_times.has_value()) {
      const CpuTicks ticks = now.cpu_times->all - earlier.cpu_times->all;
      evidence.set_steal_ns(ticks.steal * kTickNs);
      const auto own_ns = Difference(begin.own_cpu_ns, end.own_cpu_ns);
      const auto share = ForeignCpuShare(ticks, static_cast<int>(now.cpu_times->cpus.size()),
                                         end.at - begin.at, own_ns);
      if (share.has_value()) evidence.set_foreign_cpu_share(*share);
    }
    SetDifference(earlier.throttled_ns, now.throttled_ns,
                  [&](int64_t ns) { evidence.set_throttled_ns(ns); });
    SetDifference(earlier.pressure_cpu_ns, now.pressure_cpu_ns,
                  [&](int64_t ns) { evidence.set_pressure_cpu_ns(ns); });
    SetDifference(earlier.pressure_io_ns, now.pressure_io_ns,
                  [&](int64_t ns) { evidence.set_pressure_io_ns(ns); });
    SetDifference(earlier.pressure_memory_ns, now.pressure_memory_ns,
                  [&](int64_t ns) { evidence.set_pressure_memory_ns(ns); });
  }

  const std::string root_;
  const std::vector<pid_t> own_pids_;
  const std::vector<std::string> throttle_files_;
  std::vector<ObservedProcess> processes_;
  MachineLook begin_;
};

}  // namespace

std::unique_ptr<BlockObserver> MakeBlockObserver(const std::string& root,
                                                 std::vector<pid_t> own_pids) {
  return std::make_unique<ProcBlockObserver>(root, std::move(own_pids));
}

}  // namespace tare::agent
