// A seeded random generator whose numbers are the same on every machine and library.
//
// The plan, and every seed that it hands out, must be the same bytes everywhere; the distributions
// and shuffles of the standard library are not. Not for secrets: see RandomToken in base/token.h.
//
// Not thread-safe: one generator a thread.
// Source: xoshiro256** by Blackman and Vigna, seeded by splitmix64.

#ifndef TARE_BASE_RANDOM_H_
#define TARE_BASE_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tare {

class Random {
 public:
  explicit Random(uint64_t seed);

  // Uniform over all 64-bit values.
  uint64_t Next();

  // Uniform in [0, bound), without modulo bias. Requires: bound > 0.
  uint64_t Below(uint64_t bound);

  // Uniform in [0, 1), 53 bits.
  double Uniform();

  // Standard normal, by the polar method.
  double Normal();

  // Fisher-Yates, from the back.
  template <typename T>
  void Shuffle(std::span<T> values) {
    for (size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[Below(i)]);
  }

 private:
  uint64_t state_[4];
  double spare_normal_ = 0;
  bool has_spare_normal_ = false;
};

// A seed for part `index` of what `seed` governs; different parts get unrelated streams.
uint64_t DeriveSeed(uint64_t seed, uint64_t index);

}  // namespace tare

#endif  // TARE_BASE_RANDOM_H_
