#include "base/clock.h"

#include <ctime>

#include "absl/time/clock.h"

namespace tare {
namespace {

class RealClock : public Clock {
 public:
  absl::Time Now() override { return absl::Now(); }
  absl::Duration Monotonic() override {
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return absl::DurationFromTimespec(now);
  }
  void Wait(absl::Duration duration) override {
    if (duration > absl::ZeroDuration()) absl::SleepFor(duration);
  }
};

}  // namespace

Clock* Clock::Real() {
  static RealClock* const kClock = new RealClock;
  return kClock;
}

absl::Time FakeClock::Now() {
  static const absl::Time kStart =
      absl::FromCivil(absl::CivilSecond(2026, 1, 1, 0, 0, 0), absl::UTCTimeZone());
  return kStart + Monotonic();
}

absl::Duration FakeClock::Monotonic() {
  absl::MutexLock lock(&mutex_);
  return elapsed_;
}

void FakeClock::Wait(absl::Duration duration) {
  absl::MutexLock lock(&mutex_);
  if (duration > absl::ZeroDuration()) elapsed_ += duration;
}

}  // namespace tare
