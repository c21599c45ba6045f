// What the machine did during one block of samples.
//
// Begin() before the block, End() after it: counters are differences, CPUs are as last seen. Reads
// /proc and /sys only outside the block, nothing while samples are taken. Costs well under 1 ms.
//
// Not thread-safe.

#ifndef TARE_AGENT_MACHINE_OBSERVER_H_
#define TARE_AGENT_MACHINE_OBSERVER_H_

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "tare/v1/record.pb.h"

namespace tare::agent {

struct ObservedProcess {
  std::string name;  // role or service
  pid_t pid = 0;
};

class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void Begin(const std::vector<ObservedProcess>& processes) = 0;
  virtual v1::BlockEvidence End() = 0;
};

// `own_pids` in addition to the observed processes count as ours when the foreign share is
// computed: their whole process trees do (the agent, the services). `root` is "/" except in tests.
std::unique_ptr<BlockObserver> MakeBlockObserver(const std::string& root,
                                                 std::vector<pid_t> own_pids);

}  // namespace tare::agent

#endif  // TARE_AGENT_MACHINE_OBSERVER_H_
