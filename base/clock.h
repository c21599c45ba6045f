// Time, passed in, so that tests need not wait.
//
// Not for measuring: samples are timed by the workload's own steady clock inside its process.
// RealClock is thread-safe; FakeClock is too, and moves only when told or when someone waits on it.

#ifndef TARE_BASE_CLOCK_H_
#define TARE_BASE_CLOCK_H_

#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"

namespace tare {

class Clock {
 public:
  virtual ~Clock() = default;

  // Wall-clock time, for people and records.
  virtual absl::Time Now() = 0;

  // Time since an arbitrary start that never jumps, for deadlines.
  virtual absl::Duration Monotonic() = 0;

  // Blocks for `duration`; returns at once when it is not positive.
  virtual void Wait(absl::Duration duration) = 0;

  // The machine's clock; lives for ever.
  static Clock* Real();
};

// Starts at 2026-01-01 00:00 UTC. Wait() advances it and returns at once.
class FakeClock : public Clock {
 public:
  absl::Time Now() override;
  absl::Duration Monotonic() override;
  void Wait(absl::Duration duration) override;

 private:
  absl::Mutex mutex_;
  absl::Duration elapsed_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();
};

}  // namespace tare

#endif  // TARE_BASE_CLOCK_H_
