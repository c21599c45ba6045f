#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"
#include "fmt/format.h"

namespace tare::coordinator {
namespace {

std::string FormatRatio(double ratio) { return fmt::format("{:.3f}", ratio); }

// The columns of one table, a row a spread.
struct Rows {
  std::vector<std::string> names, minima, medians, maxima, factors;

  template <typename Format>
  void Add(const std::string& name, const v1::Spread& spread, Format format) {
    names.push_back(name);
    minima.push_back(format(spread.min()));
    medians.push_back(format(spread.median()));
    maxima.push_back(format(spread.max()));
    factors.push_back(spread.has_factor() ? fmt::format("{:.2f}", spread.factor()) : kAbsent);
  }
};

}  // namespace

void AddRoundSpreads(const v1::Report& report, Page* page) {
  for (const v1::RoundSpread& entry : report.round_spreads()) {
    const v1::Spread& baseline = entry.baseline_values();
    const Scale scale = Scale::ForDurations({baseline.min(), baseline.median(), baseline.max()});
    Rows rows;
    rows.Add(absl::StrCat(entry.baseline(), " ", entry.metric(), ", ", scale.unit()), baseline,
             [&scale](double value) { return scale.Format(value); });
    for (const v1::RatioSpread& ratio : entry.ratios()) {
      rows.Add(absl::StrCat(ratio.arm(), " / ", entry.baseline()), ratio.spread(), FormatRatio);
    }
    page->Heading(absl::StrCat("Spread of ", entry.rounds(), " rounds: one number a process",
                               entry.has_cell() ? ", " : "", entry.cell()));
    Table table(std::move(rows.names), "measure");
    table.Column("min", Align::kRight, std::move(rows.minima));
    table.Column("median", Align::kRight, std::move(rows.medians));
    table.Column("max", Align::kRight, std::move(rows.maxima));
    table.Column("max/min", Align::kRight, std::move(rows.factors));
    table.Print(2, page);
  }
}

}  // namespace tare::coordinator
