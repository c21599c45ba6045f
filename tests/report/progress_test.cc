#include "coordinator/report/progress.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tare::coordinator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ProgressTest : public testing::Test {
 protected:
  Progress Make(Progress::Options options) {
    options.trials_total = options.trials_total == 0 ? 20 : options.trials_total;
    return {options, &clock_, [this](absl::string_view text) { written_.emplace_back(text); }};
  }

  // One trial a `step`, from the first to the last.
  void RunAll(Progress* progress, absl::Duration step) {
    for (int trial = 1; trial <= 20; ++trial) {
      clock_.Wait(step);
      progress->Update(trial, "");
    }
    progress->Finish();
  }

  FakeClock clock_;
  std::vector<std::string> written_;
};

TEST_F(ProgressTest, SaysNothingInARunOfLessThanTwoSeconds) {
  for (const bool is_tty : {false, true}) {
    Progress progress = Make({.is_tty = is_tty});
    RunAll(&progress, absl::Milliseconds(99));
  }
  EXPECT_THAT(written_, IsEmpty());
}

TEST_F(ProgressTest, WritesALineAtEachTenthWithoutATerminal) {
  Progress progress = Make({});
  RunAll(&progress, absl::Seconds(3));
  ASSERT_EQ(written_.size(), 11u);  // the first trial, then ten tenths
  EXPECT_EQ(written_[1], "trial 2 of 20, 54 s left\n");
  EXPECT_EQ(written_.back(), "trial 20 of 20, 0 s left\n");
  for (const std::string& line : written_) EXPECT_EQ(line.find('\x1b'), std::string::npos) << line;
}

TEST_F(ProgressTest, WritesAtMostOneLineInTenSecondsBetweenTenths) {
  Progress progress = Make({.trials_total = 1000});
  for (int second = 1; second <= 35; ++second) {
    clock_.Wait(absl::Seconds(1));
    progress.Update(1, "");
  }
  EXPECT_THAT(
      written_,
      ElementsAre("trial 1 of 1000, 33 min 18 s left\n", "trial 1 of 1000, 3 h 19 min left\n",
                  "trial 1 of 1000, 6 h 06 min left\n", "trial 1 of 1000, 8 h 52 min left\n"));
}

TEST_F(ProgressTest, DrawsOneLineOverAndOverOnATerminal) {
  Progress progress = Make({.is_tty = true});
  clock_.Wait(absl::Seconds(5));
  progress.Update(5, "+331 us [322, 340]");
  progress.Update(5, "too soon to be drawn");
  clock_.Wait(absl::Seconds(5));
  progress.Update(10, "");
  progress.Finish();
  EXPECT_THAT(written_,
              ElementsAre("\r\x1b[K[#####...............] trial 5 of 20, 15 s left, so "
                          "far +331 us [322, 340]",
                          "\r\x1b[K[##########..........] trial 10 of 20, 10 s left", "\n"));
}

TEST_F(ProgressTest, NeverFillsTheLastColumnOfATerminal) {
  Progress progress = Make({.is_tty = true, .columns = 50});
  clock_.Wait(absl::Seconds(5));
  progress.Update(5, "a long estimate that does not fit");
  EXPECT_THAT(written_, ElementsAre("\r\x1b[K[#####...............] trial 5 of 20, 15 s left,"));
}

TEST_F(ProgressTest, CountsOnlyItsOwnTrialsForTheTimeLeftOfAResumedRun) {
  Progress progress = Make({.trials_done = 10});
  clock_.Wait(absl::Seconds(4));
  progress.Update(12, "");
  EXPECT_THAT(written_, ElementsAre("trial 12 of 20, 16 s left\n"));
}

}  // namespace
}  // namespace tare::coordinator
