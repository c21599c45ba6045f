// The two pipes between an agent and a process, for tests that play either end.

#ifndef TARE_TESTS_WORKLOAD_PIPES_H_
#define TARE_TESTS_WORKLOAD_PIPES_H_

#include <fcntl.h>

#include <string>

#include "base/unique_fd.h"
#include "gtest/gtest.h"

namespace tare {

struct Pipes {
  Pipes() {
    int to_process[2], from_process[2];
    EXPECT_EQ(pipe2(to_process, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(from_process, O_CLOEXEC), 0);
    process_in = UniqueFd(to_process[0]);
    agent_out = UniqueFd(to_process[1]);
    agent_in = UniqueFd(from_process[0]);
    process_out = UniqueFd(from_process[1]);
  }

  // As the agent has its ends: non-blocking.
  void MakeAgentEndsNonBlocking() {
    EXPECT_EQ(fcntl(agent_out.get(), F_SETFL, O_NONBLOCK), 0);
    EXPECT_EQ(fcntl(agent_in.get(), F_SETFL, O_NONBLOCK), 0);
  }

  UniqueFd process_in, process_out, agent_in, agent_out;
};

// One line with its newline from a blocking descriptor; what there was at end of file.
inline std::string ReadLine(int fd) {
  std::string line;
  char c = 0;
  while (read(fd, &c, 1) == 1) {
    line.push_back(c);
    if (c == '\n') break;
  }
  return line;
}

}  // namespace tare

#endif  // TARE_TESTS_WORKLOAD_PIPES_H_
