#include "coordinator/analysis/steps.h"

#include <algorithm>
#include <string>

#include "coordinator/analysis/estimate.h"
#include "stats/moments.h"

namespace tare::coordinator {
namespace {

std::vector<std::string> StepNames(const CellComparison& comparison) {
  std::vector<std::string> names;
  for (const Unit& unit : comparison.units) {
    for (const UsedTrial* trial : {unit.baseline_trial, unit.candidate_trial}) {
      for (const StepSamples& step : trial->samples.steps) {
        if (std::find(names.begin(), names.end(), step.name) == names.end()) {
          names.push_back(step.name);
        }
      }
    }
  }
  return names;
}

// The samples of an arm whose whole time lies between the arm's quartiles: those that its median
// stands for.
std::vector<size_t> MiddleHalf(const TimedSamples& samples, uint32_t arm) {
  std::vector<size_t> indices = samples.IndicesOf(arm);
  std::sort(indices.begin(), indices.end(),
            [&samples](size_t a, size_t b) { return samples.values_ns[a] < samples.values_ns[b]; });
  const size_t quarter = indices.size() / 4;
  return {indices.begin() + static_cast<int64_t>(quarter),
          indices.end() - static_cast<int64_t>(quarter)};
}

// The mean time of a step over these samples; 0 when the process does not have the step.
double MeanStepNs(const TimedSamples& samples, const std::vector<size_t>& indices,
                  const std::string& name) {
  for (const StepSamples& step : samples.steps) {
    if (step.name != name) continue;
    std::vector<double> values;
    for (size_t i : indices) values.push_back(step.values_ns[i]);
    return stats::Mean(values).value_or(0);
  }
  return 0;
}

}  // namespace

std::vector<v1::StepResult> CompareSteps(const CellComparison& comparison) {
  std::vector<v1::StepResult> results;
  std::vector<std::vector<size_t>> baseline_middle;
  std::vector<std::vector<size_t>> candidate_middle;
  for (const Unit& unit : comparison.units) {
    baseline_middle.push_back(MiddleHalf(unit.baseline_trial->samples, comparison.baseline));
    candidate_middle.push_back(MiddleHalf(unit.candidate_trial->samples, comparison.candidate));
  }
  for (const std::string& name : StepNames(comparison)) {
    std::vector<double> baseline;
    std::vector<double> candidate;
    SampledValues difference{{}, comparison.scope};
    for (size_t i = 0; i < comparison.units.size(); ++i) {
      const Unit& unit = comparison.units[i];
      baseline.push_back(MeanStepNs(unit.baseline_trial->samples, baseline_middle[i], name));
      candidate.push_back(MeanStepNs(unit.candidate_trial->samples, candidate_middle[i], name));
      difference.Add(candidate.back() - baseline.back(), unit.groups);
    }
    v1::StepResult result;
    result.set_name(name);
    result.set_baseline_ns(stats::Mean(baseline).value_or(0));
    result.set_candidate_ns(stats::Mean(candidate).value_or(0));
    if (result.baseline_ns() == 0 && result.candidate_ns() == 0) continue;
    *result.mutable_estimate() = MakeEstimate(difference, kConfidence);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace tare::coordinator
