// One workload process of a trial, from its start to its exit, by the workload protocol.
//
//   MeasuredProcess process(key, &spec, role, stop_fd, &end, clock);
//   process.Start(cpus); process.SetUp(services); process.Measure(…)…; process.Collect();
//   process.End(); v1::Process record = process.Finish();
//
// It hosts all arms of the trial or its role's one. In blocks that it returns, arms are indices
// into the arms of the trial. Every call that fails has written the trial's end. Not thread-safe.

#ifndef TARE_AGENT_MEASURED_PROCESS_H_
#define TARE_AGENT_MEASURED_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "agent/launch/process.h"
#include "agent/trial_end.h"
#include "agent/workload/channel.h"
#include "base/clock.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"
#include "tare/v1/session.pb.h"
#include "tare/v1/workload.pb.h"

namespace tare::agent {

class MeasuredProcess {
 public:
  // `stop_fd` becomes readable when the trial is to stop. `spec`, `end` and `clock` must outlive
  // it.
  MeasuredProcess(const v1::AttemptKey& key, const v1::TrialSpec* spec, const v1::Role& role,
                  int stop_fd, TrialEnd* end, Clock* clock);
  ~MeasuredProcess();

  // Starts it on these CPUs (empty: all) and hears its hello.
  absl::Status Start(const std::vector<int>& cpus);

  // Gives it its arms and the addresses of services, and compares the settings that it took.
  absl::Status SetUp(std::vector<v1::ServiceAddress> services);

  const v1::Role& role() const { return role_; }
  // Requires: Start() was OK.
  pid_t pid() const { return process_->pid(); }
  // It keeps a schedule of its own: it is asked for all samples at once.
  bool is_continuous() const { return is_continuous_; }
  int64_t clock_tick_ns() const { return record_.clock_tick_ns(); }
  bool Hosts(uint32_t arm) const;

  // The wait of each arm of the trial, from now on.
  void SetDelays(const std::vector<int64_t>& delay_ns);

  // A block of the sets [sets_first, sets_end) of the trial, of which the first `warmup_sets` are
  // the warm-up of a continuous process.
  absl::StatusOr<v1::SampleBlock> Measure(int32_t block, int64_t sets_first, int64_t sets_end,
                                          bool is_warmup, int64_t warmup_sets);

  // The same block sample by sample: TakeTurn() once for each of this process's samples.
  absl::Status BeginTurns(int32_t block, int64_t sets_first, int64_t sets_end, bool is_warmup);
  absl::Status TakeTurn();
  absl::StatusOr<v1::SampleBlock> EndTurns();

  // Its evidence of all arms.
  absl::Status Collect();

  // Says bye and waits for a good exit.
  absl::Status End();

  // Stops it if it still runs; what it was, said and used. Once, last.
  v1::Process Finish();

 private:
  v1::Measure MakeMeasure(int32_t block, int64_t sets_first, int64_t sets_end,
                          bool is_warmup) const;
  absl::StatusOr<v1::SampleBlock> Received(absl::StatusOr<v1::SampleBlock> block);
  // A failure of the conversation: a cancel, a service that is gone, a death, or what it said.
  absl::Status Fail(const absl::Status& status);
  absl::Status DescribeDeath(const absl::Status& status);
  std::string Subject() const;

  const v1::AttemptKey key_;
  const v1::TrialSpec* const spec_;
  const v1::Role role_;
  const int stop_fd_;
  TrialEnd* const end_;
  Clock* const clock_;
  const int64_t started_unix_ns_;
  // Indices into the trial's arms; entry i is what the process knows as arm i.
  std::vector<int> hosted_;
  std::vector<int64_t> delays_ns_;  // by hosted arm
  bool is_continuous_ = false;
  v1::Process record_;
  v1::Measure turns_;  // the block that is measured in turns
  std::unique_ptr<Process> process_;
  std::unique_ptr<WorkloadChannel> channel_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_MEASURED_PROCESS_H_
