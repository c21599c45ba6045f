#include "coordinator/cli/confirmation.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/enum_word.h"

namespace tare::coordinator {
namespace {

bool HasRegressed(const v1::ReportComparison& comparison) {
  return comparison.verdict() == v1::VERDICT_REGRESSION ||
         comparison.verdict() == v1::VERDICT_SLOWER;
}

// Removes the elements for which `drops` holds.
template <typename Items, typename Predicate>
void Drop(Items* items, Predicate drops) {
  items->erase(std::remove_if(items->begin(), items->end(), drops), items->end());
}

}  // namespace

std::optional<v1::Experiment> MakeConfirmation(const v1::Experiment& experiment,
                                               const v1::Report& report) {
  if (experiment.confirm() != v1::SWITCH_ON || !report.refusals().empty()) return std::nullopt;
  std::set<std::pair<std::string, std::string>> pairs;
  std::set<std::string> arms;
  std::set<std::string> metrics;
  for (const v1::ReportComparison& comparison : report.comparisons()) {
    if (!HasRegressed(comparison)) continue;
    pairs.insert({comparison.baseline(), comparison.candidate()});
    arms.insert({comparison.baseline(), comparison.candidate()});
    // tare-command calls its latency "wall".
    metrics.insert(comparison.metric() == "wall" ? "latency" : comparison.metric());
  }
  if (pairs.empty()) return std::nullopt;
  v1::Experiment again = experiment;
  again.set_confirm(v1::SWITCH_OFF);
  again.clear_seed();
  Drop(again.mutable_compare(), [&pairs](const v1::Comparison& comparison) {
    return !pairs.contains({comparison.baseline(), comparison.candidate()});
  });
  Drop(again.mutable_arms(), [&arms](const v1::Arm& arm) {
    return !arms.contains(arm.has_same_as() ? arm.same_as() : arm.name());
  });
  Drop(again.mutable_metrics(), [&metrics](int metric) {
    return !metrics.contains(YamlWord(v1::Metric_descriptor()->FindValueByNumber(metric)));
  });
  return again;
}

}  // namespace tare::coordinator
