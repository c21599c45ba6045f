#include "coordinator/analysis/process_metric.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "coordinator/analysis/finding.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

constexpr double kNsPerSecond = 1e9;

ProcessMetric NotRecorded(const UsedTrial& trial, absl::string_view what,
                          absl::string_view advice) {
  ProcessMetric metric;
  metric.refusal = MakeRefusal(
      "incomplete", absl::StrCat(what, " in trial ", trial.planned->trial(), " is not known"),
      "a value of every process", advice);
  return metric;
}

double SamplesBeyond(size_t samples_count, double q) {
  return static_cast<double>(samples_count) * (1 - q);
}

ProcessMetric MeasureQuantile(const UsedTrial& trial, double q) {
  const std::vector<double>& values = trial.samples.values_ns;
  ProcessMetric metric;
  const double beyond = SamplesBeyond(values.size(), q);
  if (!BearsQuantile(values.size(), q)) {
    metric.refusal =
        MakeRefusal("too-few-samples",
                    absl::StrFormat("%d samples in trial %d leave %.3g beyond p%.0f", values.size(),
                                    trial.planned->trial(), beyond, 100 * q),
                    absl::StrFormat("at least %.0f beyond it: %.0f samples", kTailSamplesBeyondMin,
                                    kTailSamplesBeyondMin / (1 - q)),
                    "raise 'sets', or use a quantile further from the end");
    return metric;
  }
  metric.value = stats::Quantile(values, q).value_or(0);
  return metric;
}

// Starts count from the start of their block, so that each block has a span of its own.
ProcessMetric MeasureThroughput(const v1::Plan& plan, const UsedTrial& trial) {
  const TimedSamples& samples = trial.samples;
  const double iterations = std::max(1, plan.iterations());
  double span_ns = 0;
  for (size_t i = 0; i < samples.starts_ns.size();) {
    const int32_t block = samples.blocks[i];
    const double begun_ns = samples.starts_ns[i];
    double ended_ns = begun_ns;
    for (; i < samples.starts_ns.size() && samples.blocks[i] == block; ++i) {
      ended_ns = std::max(ended_ns, samples.starts_ns[i] + samples.values_ns[i] * iterations);
    }
    span_ns += ended_ns - begun_ns;
  }
  if (span_ns <= 0) {
    return NotRecorded(trial, "the time that the samples took", "let the workload say its starts");
  }
  ProcessMetric metric;
  metric.value =
      static_cast<double>(samples.values_ns.size()) * iterations * kNsPerSecond / span_ns;
  return metric;
}

ProcessMetric MeasureServerCpu(const v1::Plan& plan, const UsedTrial& trial) {
  const v1::ServiceRecord* server = ServerOf(trial);
  if (server == nullptr) {
    return NotRecorded(trial, "the processor time of a server",
                       "add a server to 'services', or remove this metric");
  }
  int64_t cpu_ns = 0;
  int64_t samples = 0;
  bool is_known = false;
  for (const v1::SampleBlock& block : trial.data->blocks) {
    if (block.is_warmup()) continue;
    samples += block.value_ns_size();
    for (const v1::Placement& placement : block.evidence().placements()) {
      if (placement.process() != server->name() || !placement.has_cpu_ns()) continue;
      cpu_ns += placement.cpu_ns();
      is_known = true;
    }
  }
  if (!is_known || samples == 0) {
    return NotRecorded(trial, absl::StrCat("the processor time of server '", server->name(), "'"),
                       "let the agent read /proc/PID of the server");
  }
  ProcessMetric metric;
  metric.value =
      static_cast<double>(cpu_ns) / static_cast<double>(samples * std::max(1, plan.iterations()));
  return metric;
}

ProcessMetric MeasurePeakMemory(const UsedTrial& trial) {
  const v1::ServiceRecord* server = ServerOf(trial);
  const std::string role = server != nullptr ? server->name() : trial.planned->roles(0).role();
  const v1::Process* process = FindProcess(trial, role);
  if (process == nullptr || process->memory_peak_bytes() <= 0) {
    return NotRecorded(trial, absl::StrCat("the peak memory of '", role, "'"),
                       "let the agent read the memory of the process");
  }
  ProcessMetric metric;
  metric.value = static_cast<double>(process->memory_peak_bytes());
  return metric;
}

}  // namespace

ProcessMetric MeasureProcess(const v1::Plan& plan, const UsedTrial& trial, v1::Metric metric) {
  if (const auto q = QuantileOf(metric)) return MeasureQuantile(trial, *q);
  switch (metric) {
    case v1::METRIC_THROUGHPUT:
      return MeasureThroughput(plan, trial);
    case v1::METRIC_SERVER_CPU:
      return MeasureServerCpu(plan, trial);
    case v1::METRIC_PEAK_MEMORY:
      return MeasurePeakMemory(trial);
    default:
      return NotRecorded(trial, "the metric", "use a metric of this version");
  }
}

std::optional<double> QuantileOf(v1::Metric metric) {
  switch (metric) {
    case v1::METRIC_P50:
      return 0.5;
    case v1::METRIC_P90:
      return 0.9;
    case v1::METRIC_P95:
      return 0.95;
    case v1::METRIC_P99:
      return 0.99;
    default:
      return std::nullopt;
  }
}

bool BearsQuantile(size_t samples_count, double q) {
  constexpr double kRounding = 1e-9;  // 1 - 0.9 is a little less than 0.1
  if (q <= 0.5) return samples_count > 0;
  return SamplesBeyond(samples_count, q) >= kTailSamplesBeyondMin - kRounding;
}

const v1::ServiceRecord* ServerOf(const UsedTrial& trial) {
  for (const v1::ServiceRecord& service : trial.data->record.services()) {
    if (service.kind() == "server") return &service;
  }
  return nullptr;
}

const v1::Process* FindProcess(const UsedTrial& trial, const std::string& role) {
  for (const v1::Process& process : trial.data->record.processes()) {
    if (process.role() == role) return &process;
  }
  return nullptr;
}

}  // namespace tare::coordinator
