#include "coordinator/cli/progress_estimate.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/units.h"
#include "coordinator/cli/stored_data.h"

namespace tare::coordinator {

ProgressEstimate::ProgressEstimate(const v1::Experiment& experiment, const v1::Plan& plan,
                                   const std::string& run) {
  data_.run = run;
  data_.experiment = experiment;
  data_.plan = plan;
  data_.is_final = false;
}

std::string ProgressEstimate::Update(Store& store, int32_t trial) {
  absl::StatusOr<TrialData> trial_data = LoadTrialData(store, data_.run, trial);
  if (!trial_data.ok()) return "";
  data_.trials.push_back(*std::move(trial_data));
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

}  // namespace tare::coordinator
