// The path and query that requests ask for, with a number in it that differs from one to the next.
//
//   /loan?member=U-{n%500}
//
// `{n}` is the number of the request from 0, `{n%K}` its remainder, `{random%K}` a seeded draw in
// [0, K), and `{{` a brace. Everything else stands for itself, and must be visible ASCII.
//
// Immutable, thread-safe.

#ifndef TARE_WORKLOADS_LOAD_TARGET_H_
#define TARE_WORKLOADS_LOAD_TARGET_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "workloads/load/random.h"
#include "workloads/sdk/cpp/error.h"

namespace tare::load {

class Target {
 public:
  // The Error names the position, from 1, and what is accepted.
  static std::variant<sdk::Error, Target> Parse(const std::string& text);
  static constexpr size_t kBytesMax = 4'096;
  static constexpr uint64_t kBoundMax = 1'000'000'000'000;  // of K

  // That of request `n`. Draws come from `random`, in the order in which the text has them.
  std::string Render(int64_t n, Random& random) const;

 private:
  // A text and the number after it.
  struct Part {
    enum Kind { kNone, kNumber, kRemainder, kRandom };
    std::string text;
    Kind kind = kNone;
    uint64_t bound = 0;
  };

  static bool ParseNumber(const std::string& inside, Part* part);

  std::vector<Part> parts_;
};

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_TARGET_H_
