// The warden's second half: watches over one running program until nothing of it is left.
//
// Ends it when the agent says so, or is gone, or when the warden itself gets SIGTERM. Drains its
// output all the time. Once the program is gone its descendants are ended, the directories deleted
// and the report sent.
//
// Single-threaded; sleeps unless something happens. Requires: the process is a child subreaper, and
// SIGCHLD, SIGTERM, SIGINT and SIGHUP are blocked.

#ifndef TARE_AGENT_LAUNCH_WARDEN_H_
#define TARE_AGENT_LAUNCH_WARDEN_H_

#include <sys/types.h>

#include <cstdint>
#include <set>

#include "agent/launch/message.h"
#include "agent/launch/output_tail.h"
#include "agent/launch/program_start.h"
#include "base/unique_fd.h"

namespace tare::agent {

// Sends one packet to the agent; when the agent is gone, to nobody.
void SendToAgent(const Fields& fields);

class Warden {
 public:
  Warden(StartRequest request, const StartedProgram& program);

  // Returns when the program and all its descendants are gone.
  void Run();

 private:
  enum class Phase { kRunning, kStopping, kEnding };

  void HandleControl();
  void HandleSignals();
  void DrainOutput();
  void ReapChildren();
  void RequestStop();
  // Kills all descendants; those that are not the program count as left over.
  void KillDescendants();
  // Does what is due at act_at_ms_: grace or patience is over.
  void Act();

  const StartRequest request_;
  pid_t program_;
  UniqueFd output_;
  UniqueFd signals_;
  Phase phase_ = Phase::kRunning;
  bool has_agent_ = true;
  bool has_children_ = true;
  bool was_stopped_ = false;
  int64_t act_at_ms_ = -1;  // when to look again; -1: only when something happens
  int64_t kill_again_ms_ = 0;
  std::set<pid_t> leftovers_;
  OutputTail tail_;
  ExitReport report_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_LAUNCH_WARDEN_H_
