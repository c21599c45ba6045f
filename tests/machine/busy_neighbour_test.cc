// Goal: on the real machine, a process that spins is seen and named, and not seen once it is gone.
// The only test here that needs real time: a second or two for each look.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "agent/machine/observer.h"
#include "agent/preflight/preflight.h"

namespace tare::agent {
namespace {

// A child that spins until it is stopped; named so that it cannot be confused with anything else.
class Spinner {
 public:
  Spinner() : pid_(fork()) {
    if (pid_ != 0) return;
    prctl(PR_SET_NAME, "tare-neighbour");
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    volatile uint64_t turns = 0;
    while (true) turns = turns + 1;
  }
  ~Spinner() { Stop(); }
  void Stop() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

v1::Check LookAtCpus(const std::vector<pid_t>& own_pids) {
  Preflight preflight({.clock = Clock::Real(), .own_pids = own_pids});
  return preflight.Before(v1::GATES_STRICT, true).front();
}

TEST(BusyNeighbour, IsRefusedByNameAndForgottenOnceGone) {
  Spinner spinner;
  const v1::Check busy = LookAtCpus({});
  EXPECT_EQ(busy.status(), v1::CHECK_STATUS_REFUSED);
  EXPECT_EQ(busy.refusal(), "not-idle");
  EXPECT_GT(busy.value(), busy.limit());
  const std::string name = absl::StrCat("pid ", spinner.pid(), " 'tare-neighbour'");
  EXPECT_THAT(busy.culprit(), testing::StartsWith(name));
  spinner.Stop();
  // Others may keep this machine busy while tests run; the spinner does not.
  EXPECT_THAT(LookAtCpus({}).culprit(), testing::Not(testing::HasSubstr("tare-neighbour")));
}

TEST(BusyNeighbour, IsNoNeighbourWhenItIsOurs) {
  const Spinner spinner;
  EXPECT_THAT(LookAtCpus({getpid()}).culprit(), testing::Not(testing::HasSubstr("tare-neighbour")));
}

TEST(BusyNeighbour, IsInTheForeignShareOfABlock) {
  const Spinner spinner;
  const auto share_of = [](const std::vector<pid_t>& own_pids) {
    auto observer = MakeBlockObserver("/", own_pids);
    observer->Begin({});
    Clock::Real()->Wait(absl::Seconds(1));
    return observer->End();
  };
  const v1::BlockEvidence as_foreign = share_of({});
  const v1::BlockEvidence as_ours = share_of({getpid()});
  ASSERT_TRUE(as_foreign.has_foreign_cpu_share());
  ASSERT_TRUE(as_ours.has_foreign_cpu_share());
  EXPECT_GT(as_foreign.foreign_cpu_share(), 0);
  RecordProperty("foreign", absl::StrCat(as_foreign.foreign_cpu_share()));
  RecordProperty("ours", absl::StrCat(as_ours.foreign_cpu_share()));
}

}  // namespace
}  // namespace tare::agent
