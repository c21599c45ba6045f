// A busy wait made of real work: the operation of tare-spin.
//
// For trying tare itself: the true difference between two arms is known. Time passes by counted,
// dependent arithmetic, not by looking at the clock, so that neither the clock's tick nor memory
// matters. How many units fill a microsecond is calibrated once a process.
//
// Not thread-safe.

#ifndef TARE_WORKLOADS_SPIN_SPIN_H_
#define TARE_WORKLOADS_SPIN_SPIN_H_

#include <cstdint>
#include <vector>

#include "workloads/sdk/cpp/workload.h"

namespace tare {

class Spin : public sdk::Workload {
 public:
  sdk::About about() const override;
  std::optional<sdk::Error> Setup(sdk::TrialSetup& setup) override;
  std::optional<sdk::Error> Run(const sdk::Operation& operation, sdk::Steps& steps) override;
  std::optional<sdk::Error> Collect(std::vector<sdk::Evidence>& evidence) override;

 private:
  struct SpinArm {
    int64_t units = 0;    // of one operation, at least one
    uint64_t result = 0;  // of the last unit; every unit must give the same
    int64_t records = 0;  // units of counted operations
  };
  std::vector<SpinArm> arms_;
};

}  // namespace tare

#endif  // TARE_WORKLOADS_SPIN_SPIN_H_
