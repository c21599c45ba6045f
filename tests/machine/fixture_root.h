// A private copy of a root directory from tests/data/roots, and how it changes.
//
// tests/data/roots/NAME is the machine at first, NAME.second-1 the files that have changed a second
// later, and so on; after the last such directory nothing changes any more.

#ifndef TARE_TESTS_MACHINE_FIXTURE_ROOT_H_
#define TARE_TESTS_MACHINE_FIXTURE_ROOT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "base/clock.h"

namespace tare::agent {

class FixtureRoot {
 public:
  explicit FixtureRoot(absl::string_view name);
  ~FixtureRoot();

  const std::string& path() const { return path_; }
  // To the next second.
  void Advance();
  void Write(absl::string_view file, absl::string_view content);

 private:
  std::string source_;
  std::string path_;
  int seconds_ = 0;
};

// Lets the root advance by a second when somebody waits.
class AdvancingClock : public FakeClock {
 public:
  explicit AdvancingClock(FixtureRoot* root) : root_(root) {}

  // A tick of 10 ns a read, so that there is one to measure.
  absl::Duration Monotonic() override {
    FakeClock::Wait(absl::Nanoseconds(10));
    return FakeClock::Monotonic();
  }
  void Wait(absl::Duration duration) override {
    FakeClock::Wait(duration);
    root_->Advance();
    ++waits_count_;
  }
  int waits_count() const { return waits_count_; }

 private:
  FixtureRoot* root_;
  int waits_count_ = 0;
};

}  // namespace tare::agent

#endif  // TARE_TESTS_MACHINE_FIXTURE_ROOT_H_
