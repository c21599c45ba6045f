#include "coordinator/analysis/round_spread.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "coordinator/analysis/course.h"
#include "coordinator/analysis/metrics.h"
#include "coordinator/analysis/text.h"
#include "stats/quantile.h"

namespace tare::coordinator {
namespace {

v1::Spread SpreadOf(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  v1::Spread spread;
  spread.set_min(*low);
  spread.set_median(stats::Median(values).value_or(0));
  spread.set_max(*high);
  spread.set_factor(*high / *low);
  return spread;
}

// The entry for the baseline of a comparison, made when there is none yet.
v1::RoundSpread* FindSpread(const RunData& data, const CellComparison& comparison,
                            v1::Metric metric, std::vector<v1::RoundSpread>* spreads) {
  const std::string cell = NameCell(*comparison.cell);
  for (v1::RoundSpread& spread : *spreads) {
    if (spread.baseline() == comparison.planned->baseline() && spread.cell() == cell &&
        spread.metric() == NameMetric(data.experiment, metric)) {
      return &spread;
    }
  }
  const std::vector<double> values =
      ValuesByRound(data.plan, comparison, Side::kBaseline, metric, Window::kBehindWarmUp);
  if (values.empty()) return nullptr;
  v1::RoundSpread& spread = spreads->emplace_back();
  spread.set_metric(NameMetric(data.experiment, metric));
  if (!cell.empty()) spread.set_cell(cell);
  spread.set_baseline(comparison.planned->baseline());
  spread.set_rounds(static_cast<int32_t>(values.size()));
  *spread.mutable_baseline_values() = SpreadOf(values);
  return &spread;
}

void AddRatio(const RunData& data, const CellComparison& comparison, v1::Metric metric,
              v1::RoundSpread* spread) {
  const std::vector<double> baseline =
      ValuesByRound(data.plan, comparison, Side::kBaseline, metric, Window::kBehindWarmUp);
  std::vector<double> ratios =
      ValuesByRound(data.plan, comparison, Side::kCandidate, metric, Window::kBehindWarmUp);
  if (ratios.size() != baseline.size()) return;
  for (size_t i = 0; i < ratios.size(); ++i) ratios[i] /= baseline[i];
  v1::RatioSpread* ratio = spread->add_ratios();
  ratio->set_arm(comparison.planned->candidate());
  *ratio->mutable_spread() = SpreadOf(ratios);
}

}  // namespace

std::vector<v1::RoundSpread> MakeRoundSpreads(const RunData& data,
                                              std::span<const CellComparison> comparisons) {
  std::vector<v1::RoundSpread> spreads;
  if (data.plan.pairing() != v1::PAIRING_ROUNDS) return spreads;
  for (v1::Metric metric : MetricsToReport(data.experiment)) {
    for (const CellComparison& comparison : comparisons) {
      if (comparison.planned->kind() == v1::COMPARISON_KIND_KNOWN_DELAY) continue;
      v1::RoundSpread* spread = FindSpread(data, comparison, metric, &spreads);
      if (spread != nullptr) AddRatio(data, comparison, metric, spread);
    }
  }
  return spreads;
}

}  // namespace tare::coordinator
