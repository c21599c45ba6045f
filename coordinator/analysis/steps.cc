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

// The mean time of one arm in a step; 0 when its process does not have the step.
double MeanStepNs(const TimedSamples& samples, uint32_t arm, const std::string& name) {
  for (const StepSamples& step : samples.steps) {
    if (step.name != name) continue;
    std::vector<double> values;
    for (size_t i : samples.IndicesOf(arm)) values.push_back(step.values_ns[i]);
    return stats::Mean(values).value_or(0);
  }
  return 0;
}

}  // namespace

std::vector<v1::StepResult> CompareSteps(const CellComparison& comparison) {
  std::vector<v1::StepResult> results;
  for (const std::string& name : StepNames(comparison)) {
    std::vector<double> baseline;
    std::vector<double> candidate;
    std::vector<double> difference;
    for (const Unit& unit : comparison.units) {
      baseline.push_back(MeanStepNs(unit.baseline_trial->samples, comparison.baseline, name));
      candidate.push_back(MeanStepNs(unit.candidate_trial->samples, comparison.candidate, name));
      difference.push_back(candidate.back() - baseline.back());
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
