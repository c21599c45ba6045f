#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"

namespace tare::coordinator {
namespace {

struct StepRow {
  std::string cell;  // empty but on the first row of a cell
  std::string name;
  std::optional<double> baseline;
  std::optional<double> candidate;
  Range difference;
};

std::vector<StepRow> RowsOf(const v1::ReportComparison& comparison) {
  std::vector<StepRow> rows;
  for (const v1::StepResult& step : comparison.steps()) {
    rows.push_back({rows.empty() ? comparison.cell() : "", step.name(),
                    NumberIf(step.has_baseline_ns(), step.baseline_ns()),
                    NumberIf(step.has_candidate_ns(), step.candidate_ns()),
                    RangeOf(step.estimate())});
  }
  return rows;
}

// Whether the named parts explain the whole difference.
std::string SumText(const v1::ReportComparison& comparison) {
  if (comparison.steps().empty()) return "";
  double sum_ns = 0;
  for (const v1::StepResult& step : comparison.steps()) {
    if (!step.estimate().has_value_ns()) return "";
    sum_ns += step.estimate().value_ns();
  }
  std::string text = absl::StrCat("differences of the steps add up to ", FormatOne(sum_ns));
  if (comparison.estimate().has_value_ns() && comparison.estimate().value_ns() != 0) {
    absl::StrAppend(&text, ", ", FormatShare(sum_ns / comparison.estimate().value_ns()),
                    " of the whole");
  }
  return text;
}

}  // namespace

void AddSteps(const Group& group, Page* page) {
  std::vector<StepRow> rows;
  for (const v1::ReportComparison* comparison : group.rows) {
    std::vector<StepRow> steps = RowsOf(*comparison);
    std::move(steps.begin(), steps.end(), std::back_inserter(rows));
  }
  if (rows.empty()) return;
  std::vector<std::string> cells, names;
  std::vector<std::optional<double>> baselines, candidates;
  std::vector<Range> differences;
  for (const StepRow& row : rows) {
    cells.push_back(row.cell);
    names.push_back(row.name);
    baselines.push_back(row.baseline);
    candidates.push_back(row.candidate);
    differences.push_back(row.difference);
  }
  // One scale for all three, since a reader adds and subtracts along and across.
  std::vector<std::optional<double>> all = ValuesOf(differences);
  all.insert(all.end(), baselines.begin(), baselines.end());
  all.insert(all.end(), candidates.begin(), candidates.end());
  const Scale scale = Scale::ForDurations(all);
  Table table(std::move(cells));
  table.Column("step", Align::kLeft, std::move(names));
  AddDurations("baseline", baselines, scale, &table);
  AddDurations("candidate", candidates, scale, &table);
  AddRanges("difference", differences, scale, &table);
  page->Heading("Steps: where the difference is spent");
  table.Print(2, page);
  AddNotes(group, SumText, page);
}

}  // namespace tare::coordinator
