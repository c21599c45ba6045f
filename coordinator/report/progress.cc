#include "coordinator/report/progress.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "coordinator/report/page.h"

namespace tare::coordinator {
namespace {

constexpr absl::Duration kSilence = absl::Seconds(2);
constexpr absl::Duration kRedrawEvery = absl::Milliseconds(100);
constexpr absl::Duration kLineEvery = absl::Seconds(10);
constexpr int kBarWidth = 20;
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
    : options_(options), clock_(clock), sink_(std::move(sink)), started_(clock->Monotonic()) {}

void Progress::Update(int32_t trials_done, absl::string_view estimate) {
  trials_done = std::clamp(trials_done, 0, std::max(options_.trials_total, 0));
  if (IsDue(trials_done)) Draw(trials_done, estimate);
}

void Progress::Finish() {
  if (is_line_open_) sink_("\n");
  is_line_open_ = false;
}

bool Progress::IsDue(int32_t trials_done) const {
  const absl::Duration now = clock_->Monotonic();
  if (now - started_ < kSilence) return false;
  if (options_.is_tty) {
    return trials_done == options_.trials_total || now - drawn_at_ >= kRedrawEvery;
  }
  if (options_.trials_total <= 0) return false;
  const int32_t tenth = static_cast<int32_t>(int64_t{10} * trials_done / options_.trials_total);
  return tenth > drawn_tenth_ || now - drawn_at_ >= kLineEvery;
}

void Progress::Draw(int32_t trials_done, absl::string_view estimate) {
  const int32_t total = options_.trials_total;
  drawn_at_ = clock_->Monotonic();
  if (total > 0) drawn_tenth_ = static_cast<int32_t>(int64_t{10} * trials_done / total);
  std::string text = absl::StrCat("trial ", trials_done, " of ", total, TimeLeft(trials_done));
  if (!estimate.empty()) absl::StrAppend(&text, ", so far ", Printable(estimate));
  if (!options_.is_tty) {
    sink_(absl::StrCat(text, "\n"));
    return;
  }
  // One column stays free: a full line would wrap and leave copies behind.
  const std::string line = absl::StrCat(Bar(trials_done, total), " ", text);
  sink_(absl::StrCat(kClearLine, Wrap(line, std::max(options_.columns - 1, 1)).front()));
  is_line_open_ = true;
}

std::string Progress::TimeLeft(int32_t trials_done) const {
  const int32_t measured = trials_done - options_.trials_done;
  if (measured <= 0) return "";
  const absl::Duration each = (clock_->Monotonic() - started_) / measured;
  return absl::StrCat(", ", TimeText(each * (options_.trials_total - trials_done)), " left");
}

}  // namespace tare::coordinator
