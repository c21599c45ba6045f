#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"

namespace tare::coordinator {
namespace {

std::optional<double> SmallestVisible(const v1::ReportComparison& row) {
  return NumberIf(row.smallest_visible().has_value_ns(), row.smallest_visible().value_ns());
}

std::string SmallestVisibleShare(const v1::ReportComparison& row) {
  const v1::SmallestVisible& visible = row.smallest_visible();
  return visible.has_relative() ? FormatShare(visible.relative()) : StatusWord(visible.status());
}

std::optional<double> Asked(const v1::ReportComparison& row) {
  return NumberIf(row.known_delay().has_asked_ns(), row.known_delay().asked_ns());
}

std::optional<double> Applied(const v1::ReportComparison& row) {
  return NumberIf(row.known_delay().has_applied_ns(), row.known_delay().applied_ns());
}

Range ControlDifference(const v1::ReportComparison& row) {
  return RangeOf(row.control().estimate());
}

Range SeenDelay(const v1::ReportComparison& row) { return RangeOf(row.known_delay().estimate()); }

std::string KnownDelayStatus(const v1::ReportComparison& row) {
  const v1::KnownDelayResult& delay = row.known_delay();
  std::string text = StatusWord(delay.status());
  if (!delay.has_is_seen()) return text;
  if (!delay.is_seen()) return text + ", not seen";
  return text + (delay.is_contained() ? ", seen" : ", seen as another size");
}

void AddControl(const Group& group, Page* page) {
  const std::vector<std::optional<double>> visible = NumbersOf(group, SmallestVisible);
  Table table(CellTexts(group));
  AddRanges("control - baseline", RangesOf(group, ControlDifference), &table);
  table.Column("control", Align::kLeft, TextsOf(group, [](const v1::ReportComparison& row) {
                 return StatusWord(row.control().status());
               }));
  AddDurations("smallest\nvisible", visible, Scale::ForDurations(visible), &table);
  table.Column("smallest visible\nof baseline", Align::kRight,
               TextsOf(group, SmallestVisibleShare));
  table.Print(2, page);
  AddNotes(
      group, [](const v1::ReportComparison& row) { return row.control().text(); }, page);
  AddNotes(
      group, [](const v1::ReportComparison& row) { return row.smallest_visible().text(); }, page);
}

void AddKnownDelay(const Group& group, Page* page) {
  const std::vector<std::optional<double>> asked = NumbersOf(group, Asked);
  const std::vector<std::optional<double>> applied = NumbersOf(group, Applied);
  const std::vector<Range> seen = RangesOf(group, SeenDelay);
  std::vector<std::optional<double>> all = ValuesOf(seen);
  all.insert(all.end(), asked.begin(), asked.end());
  all.insert(all.end(), applied.begin(), applied.end());
  const Scale scale = Scale::ForDurations(all);
  Table table(CellTexts(group));
  AddDurations("asked", asked, scale, &table);
  AddDurations("applied", applied, scale, &table);
  AddRanges("seen as", seen, scale, &table);
  table.Column("known delay", Align::kLeft, TextsOf(group, KnownDelayStatus));
  table.Print(2, page);
  AddNotes(
      group, [](const v1::ReportComparison& row) { return row.known_delay().text(); }, page);
}

}  // namespace

void AddOwnError(const Group& group, Page* page) {
  page->Heading(absl::StrCat("Own error of this run: ", group.baseline,
                             " against itself, and with a known delay"));
  AddControl(group, page);
  page->Blank();
  AddKnownDelay(group, page);
}

}  // namespace tare::coordinator
