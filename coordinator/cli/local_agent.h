// The agent that `tare run` starts for itself: the same program as on a lab machine, on a private
// unix socket.
//
// Not thread-safe. The destructor ends it.

#ifndef TARE_COORDINATOR_CLI_LOCAL_AGENT_H_
#define TARE_COORDINATOR_CLI_LOCAL_AGENT_H_

#include <sys/types.h>

#include <string>

#include "absl/status/statusor.h"

namespace tare::coordinator {

// Where a private session listens: a unix socket without a file, under a name that nobody guesses.
std::string PrivateAddress();

class LocalAgent {
 public:
  // Starts tare-agent, in a process group of its own so that the terminal's Ctrl-C reaches only us.
  // `spool` is where it keeps what is not yet delivered. NotFound when the program is missing.
  static absl::StatusOr<LocalAgent> Start(const std::string& coordinator, const std::string& spool);
  LocalAgent(LocalAgent&& other) noexcept;
  LocalAgent& operator=(LocalAgent&&) = delete;
  // Waits for it to end by itself (the session is over by then), else kills it; its wardens clean
  // up.
  ~LocalAgent();

  pid_t pid() const { return pid_; }

 private:
  explicit LocalAgent(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_CLI_LOCAL_AGENT_H_
