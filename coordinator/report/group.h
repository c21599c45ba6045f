// Comparisons of the same two arms and metric, one a cell: what one table shows.
//
// Not thread-safe; a group points into the report that it was made from.

#ifndef TARE_COORDINATOR_REPORT_GROUP_H_
#define TARE_COORDINATOR_REPORT_GROUP_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/page.h"
#include "coordinator/report/table.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

struct Group {
  std::string baseline;
  std::string candidate;
  std::string metric;
  std::vector<const v1::ReportComparison*> rows;  // in the report's order, at least one
};

// Samples of the operation itself, which alone have an order, steps and a placement.
bool IsLatency(const Group& group);

std::vector<Group> GroupsOf(const v1::Report& report);

// The cell of each row; those of refused comparisons end in '!'. All empty without a sweep.
std::vector<std::string> CellTexts(const Group& group);

using TextOf = std::function<std::string(const v1::ReportComparison&)>;
using NumberOf = std::function<std::optional<double>(const v1::ReportComparison&)>;
using RangeOfRow = std::function<Range(const v1::ReportComparison&)>;

std::vector<std::string> TextsOf(const Group& group, const TextOf& text_of);
std::vector<std::optional<double>> NumbersOf(const Group& group, const NumberOf& number_of);
std::vector<Range> RangesOf(const Group& group, const RangeOfRow& range_of);

// Adds durations under their title and unit; nothing when none is present.
void AddDurations(absl::string_view title, const std::vector<std::optional<double>>& values_ns,
                  const Scale& scale, Table* table);

// Adds ranges under their title and "unit [95 % interval]"; nothing when no value is present.
void AddRanges(absl::string_view title, const std::vector<Range>& ranges, const Scale& scale,
               Table* table);

// The same for ranges in nanoseconds with a scale of their own.
void AddRanges(absl::string_view title, const std::vector<Range>& ranges_ns, Table* table);

// Adds the texts as paragraphs led by their cell; once and without cell when all rows say the same.
void AddNotes(const Group& group, const TextOf& text_of, Page* page);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_REPORT_GROUP_H_
