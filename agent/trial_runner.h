// One attempt at one trial: preflight → services → fresh processes → warm-up → samples → evidence →
// postflight.
//
//   TrialRunner trial(&workbench, key, spec, stop_fd);
//   if (trial.Prepare().ok()) { …Ready, wait for Start…; trial.Measure(); }
//   TrialResult result = trial.Finish();
//
// One process hosts all arms, or runs the one of its round; in lockstep there is one for each arm,
// and they take their samples in turns. Between samples of a block nothing of the agent's runs,
// except to pass the turn; samples stay in memory until Finish. Not thread-safe.

#ifndef TARE_AGENT_TRIAL_RUNNER_H_
#define TARE_AGENT_TRIAL_RUNNER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/machine/observer.h"
#include "agent/measured_process.h"
#include "agent/preflight/preflight.h"
#include "agent/service_set.h"
#include "agent/trial_end.h"
#include "agent/trial_proxies.h"
#include "base/clock.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/session.pb.h"

namespace tare::agent {

// What outlives a trial on this machine.
struct Workbench {
  Clock* clock = nullptr;
  v1::Machine machine;
  ServiceSet services;
  Preflight preflight;
};

struct RoleBlocks {
  std::string role;
  std::vector<v1::SampleBlock> blocks;
};

struct TrialResult {
  v1::TrialRecord record;
  std::vector<RoleBlocks> roles;
};

class TrialRunner {
 public:
  // `stop_fd` becomes readable when the trial is to stop. `workbench` must outlive it.
  TrialRunner(Workbench* workbench, const v1::AttemptKey& key, const v1::TrialSpec& spec,
              int stop_fd);
  ~TrialRunner();

  // Everything before the first sample. Not OK: the trial is over, Finish() has the record.
  absl::Status Prepare();

  // All blocks. Requires: Prepare() was OK.
  void Measure();

  // Stops processes and servers, looks at the machine again, closes the record.
  TrialResult Finish();

 private:
  absl::Status LookBefore();
  absl::Status EnsureServices();
  absl::Status CheckServerPrograms();
  absl::Status StartProcesses();
  std::vector<v1::ServiceAddress> AddressesFor(const v1::Role& role);
  std::vector<ObservedProcess> ProcessesToObserve();

  absl::Status MeasureAll();
  absl::Status MeasureSets(int64_t sets_first, int64_t sets_end, bool is_warmup);
  absl::Status MeasureBlock(int64_t sets_first, int64_t sets_end, bool is_warmup,
                            int64_t warmup_sets);
  // The block of each process, in the order of processes.
  absl::StatusOr<std::vector<v1::SampleBlock>> MeasureInTurns(int64_t sets_first, int64_t sets_end,
                                                              bool is_warmup);
  absl::Status FixKnownDelays();
  absl::StatusOr<int64_t> AutomaticDelayNs(const v1::PlannedArm& arm) const;
  void AddProcess(v1::Process process);

  Workbench* const workbench_;
  const v1::AttemptKey key_;
  const v1::TrialSpec spec_;
  const int stop_fd_;
  v1::TrialRecord record_;
  TrialEnd end_;
  std::vector<int> workload_cpus_;
  std::vector<std::unique_ptr<MeasuredProcess>> processes_;
  std::vector<RoleBlocks> roles_;  // of each process, in the same order
  int32_t blocks_count_ = 0;
  std::unique_ptr<BlockObserver> observer_;
  TrialProxies proxies_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_TRIAL_RUNNER_H_
