#include "bench/calibrate/neighbour.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace tare::calibrate {
namespace {

[[noreturn]] void Toggle(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // it had ended before
  while (true) {
    const time_t end = time(nullptr) + kNeighbourSeconds;
    while (time(nullptr) < end) continue;
    sleep(kNeighbourSeconds);
  }
}

}  // namespace

Neighbour::Neighbour() {
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) Toggle(parent);
}

Neighbour::~Neighbour() {
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

}  // namespace tare::calibrate
