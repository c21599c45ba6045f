// What an agent and its warden say to each other over one SOCK_SEQPACKET socket.
//
// Agent to warden:  start (once, first) · stop · tail
// Warden to agent:  started or refused (once, first) · exited · tail · done (last)
//
// A message is one packet: a list of byte strings, the first of which names it. End of file means
// that the other side is gone. Both sides come from the same build, so there is no version.
//
// Standard library only, because the warden links nothing else. Pure functions, thread-safe.

#ifndef TARE_AGENT_LAUNCH_MESSAGE_H_
#define TARE_AGENT_LAUNCH_MESSAGE_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tare::agent {

// Descriptors that the warden is started with.
inline constexpr int kControlFd = 3;      // the socket
inline constexpr int kProtocolInFd = 4;   // the program's end that it reads from
inline constexpr int kProtocolOutFd = 5;  // the program's end that it writes to

// The longest packet; what a socket's default buffer takes with room to spare.
inline constexpr size_t kLaunchBytesMax = 128 << 10;
// Of the program's output, kept.
inline constexpr size_t kTailBytesMax = 8 << 10;

// Names of messages.
inline constexpr char kStart[] = "start";      // StartRequest
inline constexpr char kStop[] = "stop";        // no more fields
inline constexpr char kTail[] = "tail";        // question: no more fields; answer: the text
inline constexpr char kStarted[] = "started";  // the program's pid
inline constexpr char kRefused[] = "refused";  // step, errno
inline constexpr char kExited[] = "exited";  // no more fields: the program is gone, its rest is not
inline constexpr char kDone[] = "done";      // ExitReport

// The steps at which a start can be refused.
inline constexpr char kStepUser[] = "user";            // no such account
inline constexpr char kStepBecome[] = "become";        // changing to the account
inline constexpr char kStepCpus[] = "cpus";            // setting the affinity
inline constexpr char kStepDirectory[] = "directory";  // entering the working directory
inline constexpr char kStepExec[] = "exec";
inline constexpr char kStepPrepare[] = "prepare";  // anything before: pipes, fork, limits

using Fields = std::vector<std::string>;

std::string EncodeFields(const Fields& fields);
// Empty optional when `packet` is not what EncodeFields makes.
std::optional<Fields> DecodeFields(const std::string& packet);

// LaunchOptions, as the warden needs them.
struct StartRequest {
  std::vector<std::string> command;
  std::vector<std::string> environment;
  std::string working_directory;
  std::string user;
  std::vector<int> cpus;
  std::vector<std::string> remove_after;
  std::vector<std::string> remove_if_stopped;
  int stop_signal = 0;
  int64_t grace_ms = 0;
  bool has_protocol = false;
};
Fields FieldsOf(const StartRequest& request);
std::optional<StartRequest> StartRequestOf(const Fields& fields);

// How it ended.
struct ExitReport {
  int wait_status = 0;  // as waitpid() gives it
  int64_t user_ns = 0;
  int64_t system_ns = 0;
  int64_t memory_peak_bytes = 0;
  int leftovers_count = 0;
  std::string tail;
};
Fields FieldsOf(const ExitReport& report);
std::optional<ExitReport> ExitReportOf(const Fields& fields);

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_MESSAGE_H_
