#include "coordinator/analysis/samples.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tare::coordinator {
namespace {

absl::Status Contradiction(const v1::Trial& planned, absl::string_view what) {
  return MakeError(absl::StatusCode::kInvalidArgument,
                   absl::StrCat("trial ", planned.trial(), ": ", what));
}

absl::Status CheckColumns(const v1::Trial& planned, const v1::SampleBlock& block) {
  const int count = block.value_ns_size();
  bool is_equal = block.arm_size() == count &&
                  (block.applied_ns_size() == 0 || block.applied_ns_size() == count);
  for (const v1::StepColumn& step : block.steps()) is_equal &= step.ns_size() == count;
  if (is_equal) return absl::OkStatus();
  return Contradiction(planned,
                       absl::StrCat("block ", block.block(), " has columns of unequal length"));
}

// Arms against the plan, `offset` samples of the trial being before the block.
absl::Status CheckArms(const v1::Trial& planned, const v1::SampleBlock& block, int64_t offset) {
  if (offset + block.arm_size() > planned.sample_arms_size()) {
    return Contradiction(planned, absl::StrCat("more samples than the ", planned.sample_arms_size(),
                                               " of the plan"));
  }
  for (int i = 0; i < block.arm_size(); ++i) {
    const uint32_t arm = planned.sample_arms(static_cast<int>(offset) + i);
    if (block.arm(i) == arm) continue;
    return Contradiction(planned, absl::StrCat("sample ", offset + i, " is of arm ", block.arm(i),
                                               " where the plan has arm ", arm));
  }
  return absl::OkStatus();
}

// Steps may first appear in a later block; their earlier samples then count as 0.
void AppendSteps(const v1::SampleBlock& block, double iterations, TimedSamples* samples) {
  const size_t before = samples->values_ns.size() - static_cast<size_t>(block.value_ns_size());
  for (const v1::StepColumn& column : block.steps()) {
    auto step = std::find_if(samples->steps.begin(), samples->steps.end(),
                             [&](const StepSamples& s) { return s.name == column.name(); });
    if (step == samples->steps.end()) {
      step = samples->steps.insert(step, {column.name(), {}});
    }
    step->values_ns.resize(before, 0.0);
    for (int64_t ns : column.ns()) step->values_ns.push_back(static_cast<double>(ns) / iterations);
  }
  for (StepSamples& step : samples->steps) step.values_ns.resize(samples->values_ns.size(), 0.0);
}

}  // namespace

std::vector<size_t> TimedSamples::IndicesOf(uint32_t arm) const {
  std::vector<size_t> indices;
  for (size_t i = 0; i < arms.size(); ++i) {
    if (arms[i] == arm) indices.push_back(i);
  }
  return indices;
}

absl::StatusOr<TimedSamples> ReadSamples(const v1::Plan& plan, const v1::Trial& planned,
                                         const TrialData& data) {
  const double iterations = std::max(1, plan.iterations());
  TimedSamples samples;
  for (const v1::SampleBlock& block : data.blocks) {
    RETURN_IF_ERROR(CheckColumns(planned, block));
    RETURN_IF_ERROR(CheckArms(planned, block, samples.delivered_count));
    samples.delivered_count += block.value_ns_size();
    if (block.is_warmup()) continue;
    for (int i = 0; i < block.value_ns_size(); ++i) {
      samples.arms.push_back(block.arm(i));
      samples.values_ns.push_back(static_cast<double>(block.value_ns(i)) / iterations);
      const int64_t applied_ns = block.applied_ns_size() == 0 ? 0 : block.applied_ns(i);
      samples.applied_ns.push_back(static_cast<double>(applied_ns) / iterations);
    }
    AppendSteps(block, iterations, &samples);
  }
  return samples;
}

}  // namespace tare::coordinator
