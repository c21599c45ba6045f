// One execution of a program: spawned, drained while it runs, timed to its exit.
//
// Open, Start, AwaitExit and Finish in this order, once an object. Only Start and AwaitExit belong
// into a timed region; the other two do what must be done before and after it. The program has no
// input, the environment of this process, and signals as they are by default. It is spawned the way
// vfork does, so that the size of this process does not matter.
//
// Not thread-safe. The destructor closes what is open; it does not end the program.

#ifndef TARE_WORKLOADS_COMMAND_EXECUTION_H_
#define TARE_WORKLOADS_COMMAND_EXECUTION_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "workloads/command/program.h"
#include "workloads/sdk/cpp/error.h"

namespace tare::command {

struct Outcome {
  int64_t user_ns = 0;
  int64_t system_ns = 0;
  // The program's, but never below that of this process: a spawned child begins as its parent.
  int64_t memory_peak_bytes = 0;
  uint64_t stdout_digest = 0;  // FNV-1a of all bytes
};

class Execution {
 public:
  std::optional<sdk::Error> Open();
  std::optional<sdk::Error> Start(const Program& program);

  // Returns at the exit of the program, whether or not descendants of it go on.
  std::optional<sdk::Error> AwaitExit();

  // An Error with code "incomplete", naming the program and its last words, when it did not exit
  // with status 0.
  std::optional<sdk::Error> Finish(const Program& program, Outcome* outcome);

 private:
  // A pipe that takes the program's output.
  struct Output {
    UniqueFd read;
    UniqueFd write;
    std::optional<sdk::Error> Open();
  };
  // Reads what is there; the digest and the last line stay up to date.
  void DrainStdout();
  void DrainStderr();

  Output stdout_;
  Output stderr_;
  pid_t pid_ = -1;
  UniqueFd exit_;  // a pidfd
  uint64_t stdout_digest_ = 0xcbf29ce484222325;
  std::string stderr_tail_;
};

}  // namespace tare::command

#endif  // TARE_WORKLOADS_COMMAND_EXECUTION_H_
