#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/sections.h"
#include "coordinator/report/table.h"
#include "fmt/format.h"

namespace tare::coordinator {

void AddWork(const v1::Report& report, Page* page) {
  if (report.work().empty()) return;
  std::vector<std::string> labels, counters, counts, trials;
  for (const v1::WorkCount& count : report.work()) {
    labels.push_back(absl::StrCat(count.arm(), count.has_cell() ? ", " : "", count.cell()));
    counters.push_back(count.name());
    counts.push_back(fmt::format("{:.4g}", count.per_operation()));
    trials.push_back(absl::StrCat(count.trials()));
  }
  page->Heading("Work for one operation, counted by the server");
  Table table(labels, "arm");
  table.Column("counter", Align::kLeft, counters);
  table.Column("per operation", Align::kRight, counts);
  table.Column("trials", Align::kRight, trials);
  table.Print(2, page);
}

}  // namespace tare::coordinator
