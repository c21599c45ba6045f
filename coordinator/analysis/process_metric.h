// A metric of one process of a design by rounds.

#ifndef TARE_COORDINATOR_ANALYSIS_PROCESS_METRIC_H_
#define TARE_COORDINATOR_ANALYSIS_PROCESS_METRIC_H_

#include <optional>
#include <string>

#include "coordinator/analysis/rounds.h"
#include "tare/v1/experiment.pb.h"
#include "tare/v1/plan.pb.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// A quantile above the median is refused with fewer samples beyond it.
inline constexpr double kTailSamplesBeyondMin = 20;

struct ProcessMetric {
  double value = 0;
  std::optional<v1::Refusal> refusal;  // then there is no value
};

//   quantiles    of the timed samples, in ns an operation
//   throughput   operations a second: timed ones over the time from the first intended start to the
//                last completion
//   server CPU   ns an operation of the blocks that are counted: of a block without interruption
//                its warm-up is a part
//   peak memory  bytes, of the server or, without one, of the workload
// Requires: `metric` is not latency.
ProcessMetric MeasureProcess(const v1::Plan& plan, const UsedTrial& trial, v1::Metric metric);

// Which quantile a metric is: 0.95 of p95. Absent for metrics that are none; latency is a median of
// its own.
std::optional<double> QuantileOf(v1::Metric metric);

// Whether so many samples bear the quantile `q`.
bool BearsQuantile(size_t samples_count, double q);

// The measured server of a trial as a service, null when it has none.
const v1::ServiceRecord* ServerOf(const UsedTrial& trial);

// Null when the trial has no process of this role.
const v1::Process* FindProcess(const UsedTrial& trial, const std::string& role);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_PROCESS_METRIC_H_
