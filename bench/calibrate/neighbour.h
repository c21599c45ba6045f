// Somebody else on the machine: busy for a few seconds, idle for as many, over and over.

#ifndef TARE_BENCH_CALIBRATE_NEIGHBOUR_H_
#define TARE_BENCH_CALIBRATE_NEIGHBOUR_H_

#include <sys/types.h>

namespace tare::calibrate {

inline constexpr int kNeighbourSeconds = 2;

// A process that keeps one CPU busy every other kNeighbourSeconds for as long as this lives; it
// ends with its parent whatever happens. Not copyable.
class Neighbour {
 public:
  Neighbour();
  ~Neighbour();
  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

 private:
  pid_t pid_;
};

}  // namespace tare::calibrate

#endif  // TARE_BENCH_CALIBRATE_NEIGHBOUR_H_
