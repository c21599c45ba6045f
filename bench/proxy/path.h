// One way to the server: direct, or through a relay that runs on a CPU that we choose.

#ifndef TARE_BENCH_PROXY_PATH_H_
#define TARE_BENCH_PROXY_PATH_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/temporary_directory.h"

namespace tare::bench {

class Path {
 public:
  static std::unique_ptr<Path> Direct(const std::string& server);
  static std::unique_ptr<Path> TareProxy(const std::string& name, const std::string& server,
                                         int cpu, const std::vector<std::string>& arguments);
  static std::unique_ptr<Path> Haproxy(const std::string& server, int cpu);
  static std::unique_ptr<Path> Nginx(const std::string& server, int cpu);
  static std::unique_ptr<Path> Socat(const std::string& server, int cpu);
  ~Path();  // ends the relay

  const std::string& name() const { return name_; }
  const std::string& address() const { return address_; }
  pid_t pid() const { return pid_; }
  // Empty when it can be used; else why it could not be started.
  const std::string& problem() const { return problem_; }
  // Ends the relay in peace and returns the file that it was told to write evidence to.
  std::string StopForEvidence();

 private:
  explicit Path(std::string name) : name_(std::move(name)) {}
  // Starts `command` on `cpu` and waits until `address_` can be connected to.
  void Start(std::vector<std::string> command, int cpu);
  void Stop(int signal);

  std::string name_;
  TemporaryDirectory directory_;
  std::string address_;
  std::string problem_;
  pid_t pid_ = -1;
};

}  // namespace tare::bench

#endif  // TARE_BENCH_PROXY_PATH_H_
