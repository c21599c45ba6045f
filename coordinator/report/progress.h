// How far a run is, for a person who waits.
//
// On a terminal one line is drawn over and over: a bar, trials done, time left, the estimate so
// far. Elsewhere (a log file, a build server) plain lines are written: at each tenth of the trials,
// and otherwise at most one every 10 s. A run of less than 2 s says nothing. It measures nothing:
// the time left is what the trials took so far, carried on.
//
// Not thread-safe.

#ifndef TARE_COORDINATOR_REPORT_PROGRESS_H_
#define TARE_COORDINATOR_REPORT_PROGRESS_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "base/clock.h"

namespace tare::coordinator {

class Progress {
 public:
  struct Options {
    bool is_tty = false;
    int columns = 80;
    int32_t trials_total = 0;
    // Counted before this process started, when a run is resumed.
    int32_t trials_done = 0;
  };

  // `sink` gets complete pieces of text to write at once, line feeds included. `clock` must outlive
  // this.
  Progress(const Options& options, Clock* clock, std::function<void(absl::string_view)> sink);

  // One more trial is done; `estimate` is a few words ("+331 us [322, 340]"), or empty.
  void Advance(std::string estimate);

  // Time has passed. Call it as often as you like: it draws at most 10 times a second.
  void Tick();

  // Ends the line on a terminal, so that what is printed next begins on a line of its own.
  void Finish();

 private:
  bool IsDue() const;
  void Draw();
  std::string TimeLeft() const;
  int32_t Tenth() const;

  Options options_;
  int32_t trials_done_;
  std::string estimate_;
  Clock* clock_;
  std::function<void(absl::string_view)> sink_;
  absl::Duration started_;
  absl::Duration drawn_at_ = -absl::InfiniteDuration();
  int32_t drawn_tenth_ = 0;
  bool is_line_open_ = false;
};

// On standard error, drawn as a bar when that is a terminal. `clock` must outlive the result.
Progress StderrProgress(Clock* clock, int32_t trials_total, int32_t trials_done);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_PROGRESS_H_
