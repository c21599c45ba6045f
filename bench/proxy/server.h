// The server behind every relay that is compared, in a process of its own on one CPU.
//
// A client says what it wants with its first byte: 'e', and every further byte comes back; or 's'
// and eight bytes, and so many bytes are sent, then the end.

#ifndef TARE_BENCH_PROXY_SERVER_H_
#define TARE_BENCH_PROXY_SERVER_H_

#include <sys/types.h>

#include <string>

namespace tare::bench {

class Server {
 public:
  // Forks; call it before there are threads.
  explicit Server(int cpu);
  ~Server();  // ends the process

  const std::string& address() const { return address_; }  // "127.0.0.1:PORT"

 private:
  pid_t pid_ = -1;
  std::string address_;
};

}  // namespace tare::bench

#endif  // TARE_BENCH_PROXY_SERVER_H_
