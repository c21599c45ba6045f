// One block of samples: the measuring loop, and the columns that it fills.
//
// Between the first and the last sample of a block nothing is sent, logged, allocated or touched
// for the first time: the columns are made and written once, when the trial is set up.
//
// Not thread-safe.

#ifndef TARE_WORKLOADS_SDK_CPP_BLOCK_H_
#define TARE_WORKLOADS_SDK_CPP_BLOCK_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "workloads/sdk/cpp/workload.h"

namespace tare::sdk {

// Where in an operation a known delay is waited.
enum class DelayPlace { kStart, kMiddle, kEnd };

// The message `measure` of the protocol.
struct BlockRequest {
  int64_t block = 0;
  bool is_warmup = false;
  std::vector<int> arms;  // of each sample
  int64_t iterations = 1;
  int64_t washout = 0;
  int washout_arm = 0;
  std::vector<int64_t> delay_ns;  // by arm; empty: none
  DelayPlace delay_place = DelayPlace::kEnd;
  int64_t first_set = 0;
  int64_t arms_per_set = 1;
  int64_t warmup_samples = 0;  // of a continuous workload: the first so many do not count
  bool is_lockstep = false;
};

// Whose turn it is among processes in lockstep.
class Turns {
 public:
  virtual ~Turns() = default;
  // Waits for this process's turn, or passes it on. False when the agent went away.
  virtual bool Await() = 0;
  virtual bool Pass() = 0;
};

class Block {
 public:
  Block(int64_t samples_max, int steps_count);

  // Measures `request`, in lockstep one sample a turn; the columns then hold its samples until the
  // next call. Returns the first error of the workload; the columns then mean nothing.
  // Requires: at most samples_max samples, arms and delays within those of the trial; `turns` if
  // the request is in lockstep.
  std::optional<Error> Run(Workload& workload, const BlockRequest& request, Turns* turns = nullptr);

  int64_t samples_max() const { return static_cast<int64_t>(samples_.size()); }

  // Sample `i` of the last block. A known delay at the start or the end is waited once a sample,
  // for all of its iterations together. At the end the clock reading that ends the wait also ends
  // the sample, so that a delayed sample is longer by exactly `applied_ns`.
  struct Sample {
    int64_t start_ns = 0;  // since the block's start
    int64_t value_ns = 0;
    int64_t applied_ns = 0;
  };
  const Sample& sample(size_t i) const { return samples_[i]; }

  // For a workload that times its samples itself: sets sample `i` and all of its steps.
  // Requires: one entry of `step_ns` for each step of the trial.
  void Set(size_t i, const Sample& sample, std::span<const int64_t> step_ns) {
    samples_[i] = sample;
    std::copy(step_ns.begin(), step_ns.end(), step_ns_.data() + i * step_ns.size());
  }

  int64_t step_ns(size_t i, int step) const { return Row(i)[step]; }

 private:
  std::optional<Error> RunSample(Workload& workload, const BlockRequest& request, size_t i);
  const int64_t* Row(size_t i) const { return &step_ns_[i * static_cast<size_t>(steps_count_)]; }

  int steps_count_;
  std::vector<Sample> samples_;
  std::vector<int64_t> step_ns_;  // a row a sample and one more for washout
  Steps steps_;
  int64_t block_start_ns_ = 0;
};

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_BLOCK_H_
