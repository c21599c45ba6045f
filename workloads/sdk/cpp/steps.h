// Named parts of one operation, timed with one clock read for each boundary.
//
// An operation begins at a boundary; every call of Lap, Mark or Skip reads the clock once and sets
// the next one. Steps are numbered in the order of TrialSetup::steps. Boundaries count only in
// workloads that registered a step.
//
//   Connect();      steps.Lap(kConnect);
//   FetchAll();     steps.Lap(kFetch);
//
// Not thread-safe. Nothing here allocates.

#ifndef TARE_WORKLOADS_SDK_CPP_STEPS_H_
#define TARE_WORKLOADS_SDK_CPP_STEPS_H_

#include <cstdint>

#include "workloads/sdk/cpp/clock.h"

namespace tare::sdk {

class Steps {
 public:
  Steps() = default;

  // For operations that are run outside of a block: times are added to `row`, one entry a step.
  explicit Steps(int64_t* row) : row_(row) {}

  // The time since the last boundary was spent in `step`.
  void Lap(int step) { row_[step] += Advance(); }

  // The time since the last boundary belongs to no step; it stays in the sample.
  void Mark() { Advance(); }

  // The time since the last boundary is taken out of the sample: preparation that is not what the
  // operation measures.
  void Skip() { skipped_ns_ += Advance(); }

  // The middle of the operation, for workloads that have one: here a known delay is waited when the
  // experiment asks for it there. Called once an operation, right after a boundary; the wait stays
  // in the sample and belongs to no step. Costs nothing measurable otherwise.
  void Middle() {
    if (middle_delay_ns_ > 0) Wait(middle_delay_ns_);
  }

  // Adds time that was measured elsewhere, such as the processor time of a child.
  void Add(int step, int64_t ns) { row_[step] += ns; }

 private:
  friend class Block;

  void Start(int64_t* row, int64_t now_ns) {
    row_ = row;
    last_ns_ = now_ns;
    skipped_ns_ = 0;
    middle_delay_ns_ = 0;
    waited_ns_ = 0;
  }

  // Keeps the processor busy for at least `delay_ns`, up to the clock reading that ends the wait.
  void Wait(int64_t delay_ns) {
    const int64_t begin_ns = ClockNs();
    last_ns_ = begin_ns;
    while (last_ns_ - begin_ns < delay_ns) last_ns_ = ClockNs();
    waited_ns_ += last_ns_ - begin_ns;
  }

  int64_t Advance() {
    const int64_t now_ns = ClockNs();
    const int64_t elapsed_ns = now_ns - last_ns_;
    last_ns_ = now_ns;
    return elapsed_ns;
  }

  int64_t* row_ = nullptr;
  int64_t last_ns_ = 0;
  int64_t skipped_ns_ = 0;
  int64_t middle_delay_ns_ = 0;  // of one operation
  int64_t waited_ns_ = 0;        // in all of the sample
};

}  // namespace tare::sdk

#endif  // TARE_WORKLOADS_SDK_CPP_STEPS_H_
