#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "coordinator/report/numbers.h"
#include "coordinator/report/sections.h"

namespace tare::coordinator {
namespace {

std::string PlaceOf(const v1::WarmUpBlock& block, int warmup_samples) {
  return absl::StrCat(block.first(), "-", block.last(),
                      block.first() < warmup_samples ? " warm-up" : "");
}

// One scale for all numbers, since a reader compares down and across.
Scale ScaleOf(const v1::WarmUpTable& table) {
  std::vector<std::optional<double>> all;
  for (const v1::WarmUpBlock& block : table.blocks()) {
    for (const v1::WarmUpArm& arm : block.arms()) {
      all.push_back(NumberIf(arm.has_median_ns(), arm.median_ns()));
      all.push_back(NumberIf(arm.has_p95_ns(), arm.p95_ns()));
    }
  }
  return Scale::ForDurations(all);
}

void AddBlocks(const v1::WarmUpTable& table, const Scale& scale, Page* page) {
  std::vector<std::string> places;
  for (const v1::WarmUpBlock& block : table.blocks()) {
    places.push_back(PlaceOf(block, table.warmup_samples()));
  }
  Table shown(std::move(places), "samples");
  for (int i = 0; i < table.arms_size(); ++i) {
    std::vector<std::string> medians, p95s;
    for (const v1::WarmUpBlock& block : table.blocks()) {
      const v1::WarmUpArm& arm = block.arms(i);
      medians.push_back(scale.Format(NumberIf(arm.has_median_ns(), arm.median_ns())));
      p95s.push_back(scale.Format(NumberIf(arm.has_p95_ns(), arm.p95_ns())));
    }
    shown.Column(absl::StrCat(table.arms(i), "\nmedian"), Align::kRight, std::move(medians));
    shown.Column("p95", Align::kRight, std::move(p95s));
  }
  shown.Print(2, page);
}

}  // namespace

void AddWarmUp(const v1::Report& report, Page* page) {
  for (const v1::WarmUpTable& table : report.warm_up_tables()) {
    const Scale scale = ScaleOf(table);
    page->Heading(
        absl::StrCat("Warm-up: samples by their place in the process, all rounds pooled, ",
                     scale.unit(), table.has_cell() ? ", " : "", table.cell()));
    AddBlocks(table, scale, page);
    for (const v1::Steadiness& steadiness : table.steadiness()) {
      page->Text(2, absl::StrCat(steadiness.candidate(), " against ", steadiness.baseline(), ", ",
                                 steadiness.text()));
    }
  }
}

}  // namespace tare::coordinator
