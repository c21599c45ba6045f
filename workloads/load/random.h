// Random numbers that are the same on every machine: splitmix64 (Steele, Lea and Flood).
//
// Not thread-safe.

#ifndef TARE_WORKLOADS_LOAD_RANDOM_H_
#define TARE_WORKLOADS_LOAD_RANDOM_H_

#include <cstdint>

namespace tare::load {

class Random {
 public:
  // Streams of one seed are unrelated to each other.
  Random(uint64_t seed, uint64_t stream) : state_(seed) { state_ = Next() ^ stream; }

  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  // Uniform in [0, 1).
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  // In [0, bound); a bias of at most bound / 2^64 is accepted. Requires: bound > 0.
  uint64_t Below(uint64_t bound) { return Next() % bound; }

 private:
  uint64_t state_;
};

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_RANDOM_H_
