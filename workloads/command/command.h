// The workload tare-command: any command line as an arm.
//
// A sample is the wall time from just before the spawn to the exit of the program. An optional
// prepare command runs before each execution and is not timed. Exit status 0 is the proof of work;
// what a program writes to stdout is digested, and may differ.
//
// Not thread-safe.

#ifndef TARE_WORKLOADS_COMMAND_COMMAND_H_
#define TARE_WORKLOADS_COMMAND_COMMAND_H_

#include <optional>
#include <string>
#include <vector>

#include "workloads/command/execution.h"
#include "workloads/command/program.h"
#include "workloads/sdk/cpp/workload.h"

namespace tare::command {

class Command : public sdk::Workload {
 public:
  sdk::About about() const override;
  std::optional<sdk::Error> Setup(sdk::TrialSetup& setup) override;
  std::optional<sdk::Error> Run(const sdk::Operation& operation, sdk::Steps& steps) override;
  std::optional<sdk::Error> Collect(std::vector<sdk::Evidence>& evidence) override;

 private:
  struct CommandArm {
    Program command;
    std::optional<Program> prepare;
    int64_t executions = 0;  // counted ones
    int64_t memory_peak_bytes = 0;
    std::optional<uint64_t> stdout_digest;
    bool has_one_stdout = true;
  };

  std::optional<sdk::Error> AddArm(sdk::Arm& arm);
  // Executes `true`, the least that a program can do: what is part of every sample.
  std::optional<sdk::Error> MeasureSpawn();

  std::vector<CommandArm> arms_;
  int64_t spawn_cost_ns_ = 0;
  int64_t memory_floor_bytes_ = 0;
};

}  // namespace tare::command

#endif  // TARE_WORKLOADS_COMMAND_COMMAND_H_
