#include "workloads/sdk/cpp/block.h"

#include <algorithm>

#include "workloads/sdk/cpp/clock.h"

namespace tare::sdk {

// Value-initialisation writes every element, which maps every page.
Block::Block(int64_t samples_max, int steps_count)
    : steps_count_(steps_count),
      samples_(static_cast<size_t>(samples_max)),
      step_ns_((static_cast<size_t>(samples_max) + 1) * static_cast<size_t>(steps_count)) {}

std::optional<Error> Block::Run(Workload& workload, const BlockRequest& request, Turns* turns) {
  const Error gone{"the agent went away in the middle of a block", "", ""};
  std::fill(step_ns_.begin(), step_ns_.end(), 0);
  block_start_ns_ = ClockNs();
  for (size_t i = 0; i < request.arms.size(); ++i) {
    if (request.is_lockstep && !turns->Await()) return gone;
    if (std::optional<Error> error = RunSample(workload, request, i)) return error;
    if (request.is_lockstep && !turns->Pass()) return gone;
  }
  return std::nullopt;
}

std::optional<Error> Block::RunSample(Workload& workload, const BlockRequest& request, size_t i) {
  const int arm = request.arms[i];
  Operation operation;
  operation.input = request.first_set + static_cast<int64_t>(i) / request.arms_per_set;
  operation.arm = request.washout_arm;
  int64_t* const rows = step_ns_.data();
  const size_t steps_count = static_cast<size_t>(steps_count_);
  steps_.Start(rows + samples_.size() * steps_count, block_start_ns_);
  for (int64_t k = 0; k < request.washout; ++k) {
    if (std::optional<Error> error = workload.Run(operation, steps_)) return error;
  }

  operation.arm = arm;
  operation.is_counted = !request.is_warmup;
  const int64_t delay_ns = request.delay_ns.empty()
                               ? 0
                               : request.delay_ns[static_cast<size_t>(arm)] * request.iterations;
  Sample& sample = samples_[i];
  const int64_t start_ns = ClockNs();
  steps_.Start(rows + i * steps_count, start_ns);
  const bool is_in_middle = request.delay_place == DelayPlace::kMiddle;
  if (delay_ns > 0 && request.delay_place == DelayPlace::kStart) steps_.Wait(delay_ns);
  if (is_in_middle) steps_.middle_delay_ns_ = delay_ns / request.iterations;
  for (int64_t k = 0; k < request.iterations; ++k) {
    if (k > 0 && steps_count_ > 0) steps_.Mark();
    if (std::optional<Error> error = workload.Run(operation, steps_)) return error;
  }
  const int64_t done_ns = ClockNs();
  int64_t end_ns = done_ns;
  if (request.delay_place == DelayPlace::kEnd) {
    while (end_ns - done_ns < delay_ns) end_ns = ClockNs();
  } else if (is_in_middle && steps_.waited_ns_ < delay_ns) {
    return Error{"this workload has no middle to wait a known delay in",
                 "accepted: a delay at the start or at the end", "delay-not-applied"};
  }
  sample.start_ns = start_ns - block_start_ns_;
  sample.value_ns = end_ns - start_ns - steps_.skipped_ns_;
  sample.applied_ns = end_ns - done_ns + steps_.waited_ns_;
  return std::nullopt;
}

}  // namespace tare::sdk
