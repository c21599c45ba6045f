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
      progress->Advance("");
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
  progress.Advance("");
  for (int second = 1; second <= 35; ++second) {
    clock_.Wait(absl::Seconds(1));
    progress.Tick();
  }
  EXPECT_THAT(
      written_,
      ElementsAre("trial 1 of 1000, 33 min 18 s left\n", "trial 1 of 1000, 3 h 19 min left\n",
                  "trial 1 of 1000, 6 h 06 min left\n", "trial 1 of 1000, 8 h 52 min left\n"));
}

TEST_F(ProgressTest, DrawsOneLineOverAndOverOnATerminal) {
  Progress progress = Make({.is_tty = true});
  progress.Advance("too soon to be drawn");
  clock_.Wait(absl::Seconds(5));
  progress.Advance("+331 us [322, 340]");
  progress.Tick();
  clock_.Wait(absl::Seconds(5));
  progress.Tick();
  progress.Finish();
  const std::string drawn = "\r\x1b[K[#.........] trial 2 of 20, ";
  EXPECT_THAT(written_, ElementsAre(drawn + "45 s left, so far +331 us [322, 340]",
                                    drawn + "1 min 30 s left, so far +331 us [322, 340]", "\n"));
}

TEST_F(ProgressTest, NeverFillsTheLastColumnOfATerminal) {
  Progress progress = Make({.is_tty = true, .columns = 50});
  clock_.Wait(absl::Seconds(5));
  progress.Advance("a long estimate that does not fit");
  EXPECT_THAT(written_, ElementsAre("\r\x1b[K[..........] trial 1 of 20, 1 min 35 s left, so"));
}

TEST_F(ProgressTest, CountsOnlyItsOwnTrialsForTheTimeLeftOfAResumedRun) {
  Progress progress = Make({.trials_done = 10});
  clock_.Wait(absl::Seconds(4));
  progress.Advance("");
  EXPECT_THAT(written_, ElementsAre("trial 11 of 20, 36 s left\n"));
}

}  // namespace
}  // namespace tare::coordinator
