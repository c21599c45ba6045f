// Stands in for an agent that is going to be killed: launches a program, prints its pid, waits.
//
//   launch_stand_in DIRECTORY-TO-REMOVE PROGRAM ARGUMENT…

#include <stdio.h>

#include "agent/launch/process.h"
#include "base/status.h"

int main(int argc, char** argv) {
  tare::agent::LaunchOptions options;
  options.remove_after = {argv[1]};
  options.command.assign(argv + 2, argv + argc);
  options.environment = {"PATH=/usr/bin:/bin"};
  options.grace = absl::Milliseconds(50);
  auto process = tare::agent::Launch(options);
  if (!process.ok()) {
    fprintf(stderr, "%s\n", tare::FormatError(process.status()).c_str());
    return 1;
  }
  printf("%d\n", (*process)->pid());
  fflush(stdout);
  return (*process)->Wait(absl::InfiniteDuration()).ok() ? 0 : 1;
}
