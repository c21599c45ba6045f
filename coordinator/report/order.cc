#include <string>

#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/words.h"

namespace tare::coordinator {
namespace {

Range OrderEffect(const v1::ReportComparison& row) { return RangeOf(row.order_effect().effect()); }

Range CarryOver(const v1::ReportComparison& row) { return RangeOf(row.carry_over().effect()); }

std::string OrderText(const v1::ReportComparison& row) {
  if (!row.has_order_effect()) return "not run";
  return row.order_effect().is_confounded() ? "confounded" : "separated";
}

}  // namespace

void AddOrder(const Group& group, Page* page) {
  page->Heading("Order: what going second does, and what a sample does to the next");
  Table table(CellTexts(group));
  AddRanges("going second", RangesOf(group, OrderEffect), &table);
  table.Column("order", Align::kLeft, TextsOf(group, OrderText));
  AddRanges("carry-over", RangesOf(group, CarryOver), &table);
  table.Column("carry-over", Align::kLeft, TextsOf(group, [](const v1::ReportComparison& row) {
                 return StatusWord(row.carry_over().status());
               }));
  table.Print(2, page);
  AddNotes(
      group, [](const v1::ReportComparison& row) { return row.carry_over().text(); }, page);
}

}  // namespace tare::coordinator
