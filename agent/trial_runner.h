// One attempt at one trial: preflight → services → fresh process → warm-up → samples → evidence →
// postflight.
//
//   TrialRunner trial(&workbench, key, spec, stop_fd);
//   if (trial.Prepare().ok()) { …Ready, wait for Start…; trial.Measure(); }
//   TrialResult result = trial.Finish();
//
// Between samples of a block nothing of the agent's runs; samples stay in memory until Finish.
// Not thread-safe.

#ifndef TARE_AGENT_TRIAL_RUNNER_H_
#define TARE_AGENT_TRIAL_RUNNER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "agent/launch/process.h"
#include "agent/machine/observer.h"
#include "agent/preflight/preflight.h"
#include "agent/service_set.h"
#include "agent/trial_proxies.h"
#include "agent/workload/channel.h"
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

struct TrialResult {
  std::string role;
  v1::TrialRecord record;
  std::vector<v1::SampleBlock> blocks;
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

  // Stops the process, looks at the machine again, closes the record.
  TrialResult Finish();

 private:
  absl::Status LookBefore();
  absl::Status EnsureServices();
  absl::Status StartProcess();
  absl::Status CheckProgram(const std::string& path);
  absl::Status SetUpWorkload();
  v1::Setup MakeSetup();
  v1::Measure MakeMeasure(int64_t sets_first, int64_t sets_end, bool is_warmup) const;
  std::vector<ObservedProcess> ProcessesToObserve();
  absl::StatusOr<int64_t> AutomaticDelayNs(const std::string& baseline) const;
  uint32_t HostedIndex(uint32_t arm) const;

  absl::Status MeasureSets(int64_t sets_first, int64_t sets_end, bool is_warmup);
  absl::Status MeasureBlock(int64_t sets_first, int64_t sets_end, bool is_warmup);
  absl::Status FixKnownDelays();
  absl::Status CollectEvidence();
  absl::Status EndProcess();
  void RecordExit(const ExitStatus& exit);

  // Writes the failure into the record and returns it.
  absl::Status Fail(v1::FailureSource source, const absl::Status& status);
  absl::Status Refuse(const std::string& code, const absl::Status& status);
  // A failure of the conversation with the workload: a cancel, a service that is gone, a death, or
  // what it said.
  absl::Status FailWorkload(const absl::Status& status);
  absl::Status DescribeDeath(const absl::Status& status);
  std::string Subject() const;
  bool has_outcome() const { return record_.outcome() != v1::TRIAL_OUTCOME_UNSPECIFIED; }

  Workbench* const workbench_;
  const v1::AttemptKey key_;
  const v1::TrialSpec spec_;
  const v1::Role role_;
  const int stop_fd_;
  v1::TrialRecord record_;
  std::vector<v1::SampleBlock> blocks_;
  std::vector<int> workload_cpus_;
  std::unique_ptr<Process> process_;
  std::unique_ptr<WorkloadChannel> channel_;
  std::unique_ptr<BlockObserver> observer_;
  TrialProxies proxies_;
  // The arms that the process hosts, as indices into spec_.arms(): all of them, or its role's one.
  // Entry i is what the process knows as arm i.
  std::vector<int> hosted_;
  std::vector<int64_t> delays_ns_;  // by hosted arm; all 0 until the warm-up is over
};

}  // namespace tare::agent

#endif  // TARE_AGENT_TRIAL_RUNNER_H_
