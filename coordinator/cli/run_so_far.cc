#include "coordinator/cli/run_so_far.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "base/units.h"
#include "coordinator/cli/stored_data.h"

namespace tare::coordinator {

RunSoFar::RunSoFar(const v1::Experiment& experiment, const v1::Plan& plan, const std::string& run) {
  data_.run = run;
  data_.experiment = experiment;
  data_.plan = plan;
  data_.is_final = false;
}

absl::Status RunSoFar::Add(Store& store, int32_t trial) {
  ASSIGN_OR_RETURN(TrialData trial_data, LoadTrialData(store, data_.run, trial));
  data_.trials.push_back(std::move(trial_data));
  counted_.insert(trial);
  return absl::OkStatus();
}

std::string RunSoFar::Estimate() const {
  if (data_.plan.rounds_per_pass() > 0) return "";  // a ladder has no one number
  const absl::StatusOr<v1::Report> report = Analyse(data_);
  if (!report.ok() || report->comparisons().empty()) return "";
  const v1::ReportComparison& comparison = report->comparisons(0);
  const v1::Estimate& estimate = comparison.estimate();
  if (!estimate.has_value_ns() || !estimate.has_low_ns() || !estimate.has_high_ns()) return "";
  return absl::StrCat(comparison.candidate(), " - ", comparison.baseline(), " ",
                      FormatDuration(estimate.value_ns()), " [", FormatDuration(estimate.low_ns()),
                      ", ", FormatDuration(estimate.high_ns()), "]",
                      comparison.has_cell() ? " at " : "", comparison.cell());
}

absl::StatusOr<StopDecision> RunSoFar::Look() {
  const int32_t rounds = rounds_complete();
  const auto& looks = data_.plan.looks();
  if (rounds == rounds_looked_at_ || std::find(looks.begin(), looks.end(), rounds) == looks.end()) {
    return StopDecision();
  }
  rounds_looked_at_ = rounds;
  return DecideStop(data_);
}

int32_t RunSoFar::rounds_complete() const {
  int32_t rounds = 0;
  int32_t first_incomplete = INT32_MAX;
  for (const v1::Trial& trial : data_.plan.trials()) {
    rounds = std::max(rounds, trial.round() + 1);
    if (!counted_.contains(trial.trial())) {
      first_incomplete = std::min(first_incomplete, trial.round());
    }
  }
  return std::min(rounds, first_incomplete);
}

}  // namespace tare::coordinator
