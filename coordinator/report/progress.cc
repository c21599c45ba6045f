#include "coordinator/report/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/files.h"
#include "coordinator/report/page.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kSilence = absl::Seconds(2);
constexpr absl::Duration kRedrawEvery = absl::Milliseconds(100);
constexpr absl::Duration kLineEvery = absl::Seconds(10);
constexpr int kBarWidth = 10;
constexpr char kClearLine[] = "\r\x1b[K";

std::string Bar(int32_t done, int32_t total) {
  const int filled = total <= 0 ? 0 : static_cast<int>(int64_t{kBarWidth} * done / total);
  return absl::StrCat("[", std::string(static_cast<size_t>(filled), '#'),
                      std::string(static_cast<size_t>(kBarWidth - filled), '.'), "]");
}

// "48 s", "3 min 05 s", "2 h 07 min".
std::string TimeText(absl::Duration duration) {
  const int64_t seconds = absl::ToInt64Seconds(absl::Ceil(duration, absl::Seconds(1)));
  const auto two_digits = [](int64_t value) { return absl::StrCat(value < 10 ? "0" : "", value); };
  if (seconds < 60) return absl::StrCat(seconds, " s");
  if (seconds < 3600) return absl::StrCat(seconds / 60, " min ", two_digits(seconds % 60), " s");
  return absl::StrCat(seconds / 3600, " h ", two_digits(seconds % 3600 / 60), " min");
}

}  // namespace

Progress::Progress(const Options& options, Clock* clock,
                   std::function<void(absl::string_view)> sink)
    : options_(options),
      trials_done_(options.trials_done),
      clock_(clock),
      sink_(std::move(sink)),
      started_(clock->Monotonic()) {}

void Progress::Advance(std::string estimate) {
  trials_done_ = std::min(trials_done_ + 1, options_.trials_total);
  estimate_ = std::move(estimate);
  Tick();
}

void Progress::Tick() {
  if (IsDue()) Draw();
}

void Progress::Finish() {
  if (is_line_open_) sink_("\n");
  is_line_open_ = false;
}

bool Progress::IsDue() const {
  const absl::Duration now = clock_->Monotonic();
  if (options_.trials_total <= 0 || now - started_ < kSilence) return false;
  if (Tenth() > drawn_tenth_) return true;
  return now - drawn_at_ >= (options_.is_tty ? kRedrawEvery : kLineEvery);
}

void Progress::Draw() {
  drawn_at_ = clock_->Monotonic();
  drawn_tenth_ = Tenth();
  std::string text =
      absl::StrCat("trial ", trials_done_, " of ", options_.trials_total, TimeLeft());
  if (!estimate_.empty()) absl::StrAppend(&text, ", so far ", Printable(estimate_));
  if (!options_.is_tty) {
    sink_(absl::StrCat(text, "\n"));
    return;
  }
  // One column stays free: a full line would wrap and leave copies behind.
  const std::string line = absl::StrCat(Bar(trials_done_, options_.trials_total), " ", text);
  sink_(absl::StrCat(kClearLine, Wrap(line, std::max(options_.columns - 1, 1)).front()));
  is_line_open_ = true;
}

std::string Progress::TimeLeft() const {
  const int32_t measured = trials_done_ - options_.trials_done;
  if (measured <= 0) return "";
  const absl::Duration each = (clock_->Monotonic() - started_) / measured;
  return absl::StrCat(", ", TimeText(each * (options_.trials_total - trials_done_)), " left");
}

int32_t Progress::Tenth() const {
  return static_cast<int32_t>(int64_t{10} * trials_done_ / options_.trials_total);
}

Progress StderrProgress(Clock* clock, int32_t trials_total, int32_t trials_done) {
  const Progress::Options options = {.is_tty = isatty(STDERR_FILENO) != 0,
                                     .trials_total = trials_total,
                                     .trials_done = trials_done};
  return {options, clock, [](absl::string_view text) {
            // Nothing depends on it being seen, so a closed terminal is no error.
            (void)WriteFully(STDERR_FILENO, text);
          }};
}

}  // namespace tare::coordinator
