#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

std::optional<double> BaselineMedian(const v1::ReportComparison& row) {
  if (row.has_baseline_median_ns()) return row.baseline_median_ns();
  return NumberIf(row.has_baseline_value() && row.unit() == "ns", row.baseline_value());
}

Range Difference(const v1::ReportComparison& row) { return RangeOf(row.estimate()); }

std::string PositiveShare(const v1::ReportComparison& row) {
  return row.has_positive_share() ? fmt::format("{:.1f}", 100 * row.positive_share()) : "";
}

std::string FlagsText(const v1::ReportComparison& row) {
  if (row.flags().empty()) return "";
  return absl::StrCat("flagged ", absl::StrJoin(row.flags(), ", "), " (tare explain ", row.flags(0),
                      ")");
}

std::string RefusedText(const v1::ReportComparison& row) {
  return row.verdict() == v1::VERDICT_REFUSED ? "refused: do not rely on these numbers" : "";
}

std::string MetricText(const std::string& metric) {
  return metric == "latency" ? "latency per operation" : metric;
}

}  // namespace

void AddComparisons(const Group& group, Page* page) {
  page->Heading(
      absl::StrCat(group.candidate, " against ", group.baseline, ", ", MetricText(group.metric)));
  const std::vector<std::optional<double>> medians = NumbersOf(group, BaselineMedian);
  const std::vector<Range> ratios =
      RangesOf(group, [](const v1::ReportComparison& row) { return RangeOf(row.ratio()); });
  Table table(CellTexts(group));
  AddDurations("baseline", medians, Scale::ForDurations(medians), &table);
  AddRanges("difference", RangesOf(group, Difference), &table);
  AddRanges("ratio - 1", ratios, Scale::ForPercent(ValuesOf(ratios)), &table);
  table.Column("slower\nsets %", Align::kRight, TextsOf(group, PositiveShare));
  table.Column("units", Align::kRight, TextsOf(group, [](const v1::ReportComparison& row) {
                 return absl::StrCat(row.processes());
               }));
  table.Print(2, page);
  AddNotes(group, RefusedText, page);
  AddNotes(group, FlagsText, page);
}

}  // namespace tare::coordinator
