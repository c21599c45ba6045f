// tare-proxy, run as a person runs it.

#ifndef TARE_TESTS_PROXY_PROXY_PROGRAM_H_
#define TARE_TESTS_PROXY_PROXY_PROGRAM_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "nlohmann/json.hpp"
#include "tests/temporary_directory.h"

namespace tare {

class ProxyProgram {
 public:
  // Starts it with `arguments`, and --evidence where they have none. Waits until it listens or
  // ends.
  explicit ProxyProgram(std::vector<std::string> arguments);
  ~ProxyProgram();  // kills it when it still runs

  pid_t pid() const { return pid_; }
  // "127.0.0.1:PORT" or "unix:/path"; empty when it ended instead.
  const std::string& address() const { return address_; }
  std::string directory() const { return directory_.Path(""); }

  // Sends SIGTERM first. The exit code, or 128 + signal.
  int Stop();
  // Waits for its end.
  int Wait();
  std::string Errors() const;
  // What it wrote on stdout after the first line; to the end, so it waits for that.
  std::string Output();
  // What it wrote at its end.
  nlohmann::json Evidence() const;

 private:
  TemporaryDirectory directory_;
  pid_t pid_ = -1;
  UniqueFd output_;
  std::string address_;
};

// One line to a control socket, "unix-abstract:name" or "unix:/path", and its answer.
nlohmann::json AskControl(const std::string& address, const std::string& line);

}  // namespace tare

#endif  // TARE_TESTS_PROXY_PROXY_PROGRAM_H_
