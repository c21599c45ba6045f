// Is this machine fit to measure on, right now?
//
// Each check passes, warns, refuses or is `not run`, with value, limit, culprit and what to do. The
// busy check watches /proc/stat for a second, so a call takes at least that when it is included.
// Decides on the maximum per-CPU busy share, since load averages and pressure lag behind.
//
// Not thread-safe (keeps the counters of the last look to form differences).

#ifndef TARE_AGENT_PREFLIGHT_PREFLIGHT_H_
#define TARE_AGENT_PREFLIGHT_PREFLIGHT_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "agent/preflight/look.h"
#include "base/clock.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

struct PreflightOptions {
  std::string root = "/";            // tests pass a directory of fixtures
  std::string data_directory = "/";  // whose free space is checked
  Clock* clock = nullptr;            // required; its Wait() spans the busy check's second
  std::vector<pid_t> own_pids;       // process trees that do not count as busy neighbours
};

class Preflight {
 public:
  explicit Preflight(PreflightOptions options);

  // All checks before a trial. Under `strict` causes are REFUSED where they would be WARNED.
  // `with_busy_second`: include the one-second look at the CPUs (repeated once when it fails),
  // otherwise that check is NOT_RUN with the reason.
  std::vector<v1::Check> Before(v1::Gates gates, bool with_busy_second);

  // The same checks after a trial, over the time since Before(): counters (steal, throttling,
  // pressure, swap) are differences. What the trial's own processes move as well (busy CPUs, load,
  // CPU and disk pressure) is NOT_RUN: blocks carry the foreign share and the pressure.
  std::vector<v1::Check> After(v1::Gates gates);

  // Calls Before until nothing that time alone may mend (busy CPUs, pressure, steal, throttling,
  // swapping, heat) is warned or refused, or `patience` has passed; returns the last look. It does
  // not wait for what somebody must change (governor, turbo, disk, memory, the clock), nor for the
  // load, which lags behind by minutes. With gates off it looks once.
  std::vector<v1::Check> WaitForQuiet(v1::Gates gates, absl::Duration patience);

 private:
  LookCounters ReadCounters();
  Look LookSinceLast();

  PreflightOptions options_;
  std::vector<std::string> throttle_files_;
  LookCounters last_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_PREFLIGHT_PREFLIGHT_H_
