// What tests of real processes need: a directory, pids that can be waited for.

#ifndef TARE_TESTS_LAUNCH_TESTING_H_
#define TARE_TESTS_LAUNCH_TESTING_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "agent/launch/process.h"
#include "base/unique_fd.h"

namespace tare::agent {

// Puts the directory of tare's programs (TARE_BIN) first in PATH, where Launch finds the warden.
void UseBuiltPrograms();

// Options that run `script` with /bin/sh.
LaunchOptions ShellOptions(const std::string& script);

// Blocks until `text` shows in the process's output, or 10 s have passed (false).
bool WaitForOutput(Process& process, const std::string& text);

// A process that may end at any time; the pid is not mixed up with a later one's.
class Watched {
 public:
  explicit Watched(pid_t pid);
  // Blocks until it has ended, or 10 s have passed (false).
  bool WaitForEnd() const;

 private:
  UniqueFd pidfd_;
};

pid_t ParentOf(pid_t pid);
std::vector<pid_t> ChildrenOf(pid_t pid);

// A directory that is deleted at the end of the scope; everybody may enter it.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Makes `path` with a file in it, to see it deleted.
void MakeFilledDirectory(const std::string& path);

// A program of the tests that stands in for an agent: starts something, prints one line about it
// and waits to be killed. Lies beside the test.
class StandIn {
 public:
  StandIn(const std::string& program, const std::vector<std::string>& arguments);
  ~StandIn() { Kill(); }
  // What it printed, without the line's end; empty when it gave up.
  const std::string& line() const { return line_; }
  // kill -9.
  void Kill();

 private:
  pid_t pid_ = -1;
  std::string line_;
};

}  // namespace tare::agent

#endif  // TARE_TESTS_LAUNCH_TESTING_H_
