// What the proxies of a trial count: block by block, and over the whole trial.
//
// Asks them only outside of blocks. What cannot be read is absent, never guessed. Not thread-safe.

#ifndef TARE_AGENT_TRIAL_PROXIES_H_
#define TARE_AGENT_TRIAL_PROXIES_H_

#include <map>
#include <string>
#include <vector>

#include "agent/service_set.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/record.pb.h"

namespace tare::agent {

class TrialProxies {
 public:
  // The proxies among the services of `spec`. `services` must outlive it, and run them by the time
  // that something is asked.
  TrialProxies(ServiceSet* services, const v1::TrialSpec& spec);

  // Around a block: what they counted from Begin() to End().
  void Begin();
  std::vector<v1::ProxyCounters> End();

  // Adds the evidence of each to its service in `record`, bounded so that the record stays below
  // the size of a chunk. For when the workload has ended.
  void AttachEvidence(v1::TrialRecord* record);

 private:
  ServiceSet* const services_;
  std::vector<std::string> names_;
  std::map<std::string, v1::ProxyCounters> begin_;
};

}  // namespace tare::agent

#endif  // TARE_AGENT_TRIAL_PROXIES_H_
