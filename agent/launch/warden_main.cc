// tare-warden: starts one program for an agent and sees to it that nothing of it survives.
//
// Not for people: an agent starts it with a socket as descriptor 3 (agent/launch/message.h).

#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>

#include "agent/launch/message.h"
#include "agent/launch/program_start.h"
#include "agent/launch/warden.h"

namespace tare::agent {
namespace {

constexpr int kExitUsage = 64;

std::optional<StartRequest> ReceiveStart() {
  std::string packet(kLaunchBytesMax, '\0');
  ssize_t count = 0;
  do {
    count = recv(kControlFd, packet.data(), packet.size(), 0);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return std::nullopt;
  packet.resize(static_cast<size_t>(count));
  const auto fields = DecodeFields(packet);
  if (!fields) return std::nullopt;
  return StartRequestOf(*fields);
}

int RunWarden() {
  const std::optional<StartRequest> request = ReceiveStart();
  if (!request) {
    fputs("tare-warden got no program to start\n  try: tare-agent starts it by itself\n", stderr);
    return kExitUsage;
  }
  close_range(request->has_protocol ? kProtocolOutFd + 1 : kControlFd + 1, ~0U, 0);
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const StartedProgram program = StartProgram(*request);
  if (program.pid < 0) {
    SendToAgent({kRefused, program.refused_step, std::to_string(program.error_number)});
    return 0;
  }
  SendToAgent({kStarted, std::to_string(program.pid)});
  Warden(*request, program).Run();
  return 0;
}

}  // namespace
}  // namespace tare::agent

int main() { return tare::agent::RunWarden(); }
