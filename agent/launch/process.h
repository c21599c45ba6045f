// A process that tare started, with a warden in between.
//
// Every workload and service runs under `tare-warden`: own session, subreaper, limits, user,
// affinity. End of file on the agent's pipe to the warden means stop, so nothing survives the death
// of the agent, however it dies. Not a general process library: no shell, no pipelines.
//
// A Process is not thread-safe: one owner. The destructor stops it (as Stop() does). Launch() may
// be called from any thread; it makes the calling process a child subreaper, so that what a killed
// warden leaves behind can be found and ended.

#ifndef TARE_AGENT_LAUNCH_PROCESS_H_
#define TARE_AGENT_LAUNCH_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace tare::agent {

struct LaunchOptions {
  // Program (absolute path) and arguments.
  std::vector<std::string> command;
  // The whole environment, "NAME=value"; nothing is inherited.
  std::vector<std::string> environment;
  std::string working_directory = "/";
  // Account to run as; empty: the agent's own.
  std::string user;
  // CPUs it may run on; empty: all that the agent may.
  std::vector<int> cpus;
  // Directories that the warden deletes after the last process is gone.
  std::vector<std::string> remove_after;
  // The same, but only when the process did not end by itself: it was stopped, or the agent died.
  std::vector<std::string> remove_if_stopped;
  // What asks it to stop; after `grace` comes SIGKILL, for it and all descendants.
  int stop_signal = 15;
  absl::Duration grace = absl::Seconds(2);
  // Two pipes for the workload protocol. The program finds the descriptor that it reads from in
  // TARE_WORKLOAD_IN and the one that it writes to in TARE_WORKLOAD_OUT.
  bool has_protocol = false;
};

struct ExitStatus {
  std::optional<int> code;    // by exit()
  std::optional<int> signal;  // by signal
  int64_t user_ns = 0;        // rusage of the process and the children it waited for
  int64_t system_ns = 0;
  int64_t memory_peak_bytes = 0;
  int leftovers_count = 0;  // descendants that outlived the program and had to be ended
};

class Process {
 public:
  virtual ~Process() = default;

  // The program's pid (not the warden's).
  virtual pid_t pid() const = 0;

  // Our ends of the protocol pipes, non-blocking; -1 without has_protocol.
  virtual int to_process() const = 0;
  virtual int from_process() const = 0;

  // Blocks until the process and its descendants are gone. DeadlineExceeded when not by then;
  // Unavailable when the warden itself died (descendants have then been swept).
  virtual absl::StatusOr<ExitStatus> Wait(absl::Duration timeout) = 0;

  // Asks it to stop, then kills; returns what Wait would. Idempotent.
  virtual absl::StatusOr<ExitStatus> Stop() = 0;

  // True while the program has not exited; never blocks.
  virtual bool is_running() = 0;

  // The last 8 KiB of its stdout and stderr together. Output is drained for ever and the rest
  // discarded, so a chatty program neither blocks nor fills a disk.
  virtual std::string LogTail() = 0;
};

// "exited with code 3", "was ended by signal 9".
std::string HowItEnded(const ExitStatus& exit);

// Starts `options.command` and returns once it has been exec'd.
//
// Errors: NotFound (no such program or working directory), PermissionDenied (not executable, or the
// user may not be changed), InvalidArgument (no such user, CPU not available, relative path, more
// than kLaunchBytesMax of arguments and environment), Unavailable (the warden could not be
// started).
absl::StatusOr<std::unique_ptr<Process>> Launch(const LaunchOptions& options);

// This process's own environment, to pass on.
std::vector<std::string> OwnEnvironment();

// This process's own working directory; "/" when it cannot be told.
std::string CurrentDirectory();

// The absolute path of program `name`: as it is when it has a '/', else beside this program, else
// in PATH. NotFound with the places looked at; PermissionDenied when it is there but not
// executable.
absl::StatusOr<std::string> FindProgram(const std::string& name);

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_PROCESS_H_
