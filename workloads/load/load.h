// The workload tare-load: open-loop HTTP/1.1 load on a server.
//
// A sample is a request. Its latency counts from the time at which it was meant to be sent, so a
// server that stops for a second is seen by every request of that second and not only by those that
// were under way. Requests that failed are never fast: their latency is at least the timeout.
//
// Not thread-safe.

#ifndef TARE_WORKLOADS_LOAD_LOAD_H_
#define TARE_WORKLOADS_LOAD_LOAD_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "workloads/load/generator.h"
#include "workloads/load/requests.h"
#include "workloads/load/settings.h"
#include "workloads/load/work_counters.h"
#include "workloads/sdk/cpp/block.h"
#include "workloads/sdk/cpp/workload.h"

namespace tare::load {

class Load : public sdk::ContinuousWorkload {
 public:
  sdk::About about() const override;
  std::optional<sdk::Error> Setup(sdk::TrialSetup& setup) override;
  std::optional<sdk::Error> RunBlock(const sdk::BlockRequest& request, sdk::Block& block) override;
  std::optional<sdk::Error> Collect(std::vector<sdk::Evidence>& evidence) override;

 private:
  std::optional<sdk::Error> MakeTimes(int64_t count, uint64_t seed);
  // One reading of the server's counters; none when the experiment names no path.
  std::variant<sdk::Error, WorkCounters> ReadWork() const;
  // The second reading, and what was added since `before`.
  void FinishWork(const WorkCounters& before);
  void Deliver(size_t i, sdk::Block& block) const;

  Settings settings_;
  Requests requests_;
  SendTimes times_;
  std::optional<Generator> generator_;
  bool has_run_ = false;
  size_t warmup_ = 0;  // requests that do not count
  size_t count_ = 0;
  int64_t cpu_ns_ = 0;
  WorkCounters work_;                     // added during the load
  std::optional<sdk::Error> work_error_;  // why it is not known
};

}  // namespace tare::load

#endif  // TARE_WORKLOADS_LOAD_LOAD_H_
