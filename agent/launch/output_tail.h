// The last bytes of a program's output.
//
// A ring: what comes costs one copy whatever its amount, and memory is bounded. Not thread-safe.

#ifndef TARE_AGENT_LAUNCH_OUTPUT_TAIL_H_
#define TARE_AGENT_LAUNCH_OUTPUT_TAIL_H_

#include <array>
#include <cstddef>
#include <string>

#include "agent/launch/message.h"

namespace tare::agent {

class OutputTail {
 public:
  void Append(const char* bytes, size_t count);

  // What was appended last, oldest byte first, at most kTailBytesMax.
  std::string Text() const;

 private:
  std::array<char, kTailBytesMax> ring_;
  size_t appended_count_ = 0;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_OUTPUT_TAIL_H_
