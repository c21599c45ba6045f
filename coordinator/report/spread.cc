#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

std::optional<double> LowestProcess(const v1::ReportComparison& row) {
  const auto& values = row.process_estimates_ns();
  if (values.empty()) return std::nullopt;
  return *std::min_element(values.begin(), values.end());
}

std::optional<double> HighestProcess(const v1::ReportComparison& row) {
  const auto& values = row.process_estimates_ns();
  if (values.empty()) return std::nullopt;
  return *std::max_element(values.begin(), values.end());
}

Range HodgesLehmann(const v1::ReportComparison& row) { return RangeOf(row.hodges_lehmann()); }

std::string AdjustedP(const v1::ReportComparison& row) {
  if (!row.has_p_adjusted()) return "";
  return row.p_adjusted() < 0.0001 ? "< 0.0001" : fmt::format("{:.4f}", row.p_adjusted());
}

std::string PlacementText(const v1::ReportComparison& row) {
  const v1::PlacementResult& placement = row.placement();
  std::string text = absl::StrCat("placement ", StatusWord(placement.status()));
  if (!placement.text().empty()) absl::StrAppend(&text, ": ", placement.text());
  return text;
}

// One row for each group of processes that ran on the same CPUs.
void AddPlacements(const Group& group, Page* page) {
  std::vector<std::string> cells, names, processes;
  std::vector<std::optional<double>> baselines, candidates, differences;
  for (const v1::ReportComparison* row : group.rows) {
    for (const v1::PlacementGroup& entry : row->placement().groups()) {
      cells.push_back(&entry == &row->placement().groups(0) ? row->cell() : "");
      names.push_back(entry.name());
      processes.push_back(absl::StrCat(entry.processes()));
      baselines.push_back(NumberIf(entry.has_baseline_median_ns(), entry.baseline_median_ns()));
      candidates.push_back(NumberIf(entry.has_candidate_median_ns(), entry.candidate_median_ns()));
      differences.push_back(NumberIf(entry.has_difference_ns(), entry.difference_ns()));
    }
  }
  if (names.empty()) return;
  const Scale scale = Scale::ForDurations(candidates);
  Table table(cells);
  table.Column("placement", Align::kLeft, names);
  table.Column("processes", Align::kRight, processes);
  AddDurations("baseline", baselines, scale, &table);
  AddDurations("candidate", candidates, scale, &table);
  AddDurations("difference", differences, scale, &table);
  table.Print(2, page);
}

}  // namespace

void AddSpread(const Group& group, Page* page) {
  const std::vector<std::optional<double>> highest = NumbersOf(group, HighestProcess);
  const Scale scale = Scale::ForDurations(highest);
  page->Heading("Spread between processes, and a cross-check of the interval");
  Table table(CellTexts(group));
  AddDurations("lowest\ndifference", NumbersOf(group, LowestProcess), scale, &table);
  AddDurations("highest\ndifference", highest, scale, &table);
  AddRanges("Hodges-Lehmann", RangesOf(group, HodgesLehmann), &table);
  table.Column("adjusted\np", Align::kRight, TextsOf(group, AdjustedP));
  table.Print(2, page);
  AddNotes(group, PlacementText, page);
  AddPlacements(group, page);
}

}  // namespace tare::coordinator
