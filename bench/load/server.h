// The least that an HTTP server can do: a fixed reply for every request, from one thread that
// polls.
//
// In a process of its own, pinned to one CPU; ends with its owner.

#ifndef TARE_BENCH_LOAD_SERVER_H_
#define TARE_BENCH_LOAD_SERVER_H_

#include <sys/types.h>

#include <string>

namespace tare::bench {

class ReplyServer {
 public:
  explicit ReplyServer(int cpu);
  ~ReplyServer();

  const std::string& address() const { return address_; }

 private:
  pid_t pid_ = -1;
  std::string address_;
};

}  // namespace tare::bench

#endif  // TARE_BENCH_LOAD_SERVER_H_
