#include "coordinator/report/group.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tare::coordinator {
namespace {

constexpr int kNoteIndent = 2;

bool HasNumber(const std::vector<std::optional<double>>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](const std::optional<double>& value) { return value.has_value(); });
}

}  // namespace

std::vector<Group> GroupsOf(const v1::Report& report) {
  std::vector<Group> groups;
  for (const v1::ReportComparison& row : report.comparisons()) {
    const auto is_same = [&row](const Group& group) {
      return group.baseline == row.baseline() && group.candidate == row.candidate() &&
             group.metric == row.metric();
    };
    auto group = std::find_if(groups.begin(), groups.end(), is_same);
    if (group == groups.end()) {
      groups.push_back({row.baseline(), row.candidate(), row.metric(), {}});
      group = groups.end() - 1;
    }
    group->rows.push_back(&row);
  }
  return groups;
}

bool IsLatency(const Group& group) { return group.metric == "latency" || group.metric == "wall"; }

std::vector<std::string> CellTexts(const Group& group) {
  return TextsOf(group, [](const v1::ReportComparison& row) {
    const bool is_marked = row.has_cell() && row.verdict() == v1::VERDICT_REFUSED;
    return absl::StrCat(row.cell(), is_marked ? "!" : "");
  });
}

std::vector<std::string> TextsOf(const Group& group, const TextOf& text_of) {
  std::vector<std::string> texts;
  for (const v1::ReportComparison* row : group.rows) texts.push_back(text_of(*row));
  return texts;
}

std::vector<std::optional<double>> NumbersOf(const Group& group, const NumberOf& number_of) {
  std::vector<std::optional<double>> numbers;
  for (const v1::ReportComparison* row : group.rows) numbers.push_back(number_of(*row));
  return numbers;
}

std::vector<Range> RangesOf(const Group& group, const RangeOfRow& range_of) {
  std::vector<Range> ranges;
  for (const v1::ReportComparison* row : group.rows) ranges.push_back(range_of(*row));
  return ranges;
}

void AddDurations(absl::string_view title, const std::vector<std::optional<double>>& values_ns,
                  const Scale& scale, Table* table) {
  if (!HasNumber(values_ns)) return;
  std::vector<std::string> texts;
  for (const std::optional<double>& value : values_ns) texts.push_back(scale.Format(value));
  table->Column(absl::StrCat(title, "\n", scale.unit()), Align::kRight, std::move(texts));
}

void AddRanges(absl::string_view title, const std::vector<Range>& ranges, const Scale& scale,
               Table* table) {
  if (!HasNumber(ValuesOf(ranges))) return;
  table->Column(absl::StrCat(title, "\n", scale.unit(), " [95 % interval]"), Align::kLeft,
                FormatRanges(ranges, scale));
}

void AddRanges(absl::string_view title, const std::vector<Range>& ranges_ns, Table* table) {
  AddRanges(title, ranges_ns, Scale::ForDurations(ValuesOf(ranges_ns)), table);
}

void AddNotes(const Group& group, const TextOf& text_of, Page* page) {
  const std::vector<std::string> texts = TextsOf(group, text_of);
  const bool is_same = std::set<std::string>(texts.begin(), texts.end()).size() == 1;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    const std::string& cell = group.rows[i]->cell();
    page->Text(kNoteIndent,
               is_same || cell.empty() ? texts[i] : absl::StrCat(cell, ": ", texts[i]));
    if (is_same) return;
  }
}

}  // namespace tare::coordinator
