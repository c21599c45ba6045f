#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"

namespace tare::coordinator {
namespace {

// One level says nothing about where the spread arises.
bool HasLevels(const v1::ReportComparison& row) { return row.variance_components_size() > 1; }

std::string ClampedText(const v1::ReportComparison& row) {
  std::string text;
  for (const v1::VarianceComponent& component : row.variance_components()) {
    if (!HasLevels(row) || !component.is_clamped()) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", component.level());
  }
  return text.empty() ? "" : text + " clamped to 0: estimate was negative";
}

}  // namespace

void AddComponents(const Group& group, Page* page) {
  const std::vector<std::string> row_cells = CellTexts(group);
  std::vector<std::string> cells, levels, units;
  std::vector<std::optional<double>> sds, shares;
  for (size_t i = 0; i < group.rows.size(); ++i) {
    if (!HasLevels(*group.rows[i])) continue;
    bool is_first = true;
    for (const v1::VarianceComponent& component : group.rows[i]->variance_components()) {
      cells.push_back(is_first ? row_cells[i] : "");
      is_first = false;
      levels.push_back(component.level());
      units.push_back(absl::StrCat(component.units()));
      sds.push_back(NumberIf(component.has_sd_ns(), component.sd_ns()));
      shares.push_back(NumberIf(component.has_share(), component.share()));
    }
  }
  if (levels.empty()) return;
  page->Heading("Where the spread of the difference arises");
  const Scale percent = Scale::ForPercent(shares);
  std::vector<std::string> share_texts;
  for (const std::optional<double>& share : shares) share_texts.push_back(percent.Format(share));
  Table table(cells);
  table.Column("level", Align::kLeft, levels);
  table.Column("units", Align::kRight, units);
  AddDurations("sd", sds, Scale::ForDurations(sds), &table);
  table.Column("share of\nerror, %", Align::kRight, share_texts);
  table.Print(2, page);
  AddNotes(group, ClampedText, page);
}

}  // namespace tare::coordinator
