#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

std::string Percent(double share) { return fmt::format("{:.0f}", 100 * share); }

// "24 <45": the share of the subsets, and the bound of the true rate.
std::string RateText(int count, int subsets, double rate_max) {
  return fmt::format("{:>3} <{:>3}", Percent(static_cast<double>(count) / subsets),
                     Percent(rate_max));
}

std::string WindowText(const v1::DecisionScanRow& row) {
  return row.skipped_samples() == 0 ? "all samples" : absl::StrCat("from ", row.skipped_samples());
}

// One table a kind of error: side by side they would not fit a terminal.
template <typename TextOf>
void AddRates(const v1::DecisionScan& scan, const std::string& title, TextOf text_of, Page* page) {
  std::vector<std::string> rounds, windows, independent;
  for (const v1::DecisionScanRow& row : scan.rows()) {
    rounds.push_back(absl::StrCat(row.rounds()));
    windows.push_back(WindowText(row));
    independent.push_back(absl::StrCat(row.independent()));
  }
  Table table(std::move(rounds), "rounds");
  table.Column("samples", Align::kLeft, std::move(windows));
  for (int i = 0; i < scan.thresholds_size(); ++i) {
    std::vector<std::string> cells;
    for (const v1::DecisionScanRow& row : scan.rows()) cells.push_back(text_of(row.cells(i)));
    table.Column(FormatShare(scan.thresholds(i)), Align::kRight, std::move(cells));
  }
  table.Column("independent\nsubsets", Align::kRight, std::move(independent));
  page->Text(2, title);
  table.Print(4, page);
}

}  // namespace

void AddDecisionScans(const v1::Report& report, Page* page) {
  for (const v1::DecisionScan& scan : report.decision_scans()) {
    page->Heading(absl::StrCat("Other gates on these rounds: ", scan.metric(),
                               scan.has_cell() ? ", " : "", scan.cell(), ", by threshold"));
    page->Text(2, absl::StrCat("% of ", scan.subsets(), " random subsets of ", scan.rounds(),
                               " rounds (seed ", scan.seed(),
                               "); < is the 95 % bound of the true rate, from the subsets that "
                               "share no round"));
    AddRates(
        scan, absl::StrCat("false fail: ", scan.control(), " is called a regression"),
        [&](const v1::DecisionScanCell& cell) {
          return RateText(cell.false_fails(), scan.subsets(), cell.false_fail_rate_max());
        },
        page);
    AddRates(
        scan,
        absl::StrCat("false pass, where ", scan.candidate(),
                     " is slower than the threshold: it passes"),
        [&](const v1::DecisionScanCell& cell) {
          return RateText(cell.false_passes(), scan.subsets(), cell.false_pass_rate_max());
        },
        page);
  }
}

}  // namespace tare::coordinator
