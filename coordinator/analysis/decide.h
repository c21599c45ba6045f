// Rows 10 to 15 of the verdict table: what the numbers of a run decide, where nothing refuses.

#ifndef TARE_COORDINATOR_ANALYSIS_DECIDE_H_
#define TARE_COORDINATOR_ANALYSIS_DECIDE_H_

#include <optional>
#include <span>
#include <vector>

#include "coordinator/analysis/look.h"
#include "coordinator/analysis/metrics.h"
#include "stats/gate.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// How one comparison is decided.
struct Rule {
  v1::Pairing pairing = v1::PAIRING_UNSPECIFIED;
  LookKind kind = LookKind::kFixed;
  std::optional<stats::GateThreshold> threshold;
  // With a threshold: is the candidate worse, is it better?
  stats::GateLevels worse;
  stats::GateLevels better;
  double difference = 0;  // two-sided, without a threshold
};

// In the words of a gate: regression, improvement, equivalent, pass, inconclusive.
v1::Verdict Decide(const MetricComparison& measured, const Rule& rule);

struct Decision {
  v1::Verdict verdict = v1::VERDICT_INCONCLUSIVE;
  Rule rule;
  // Holm's, two-sided; of a fixed number of units without a threshold.
  std::optional<double> p_adjusted;
  std::optional<v1::GateResult> gate;  // with a threshold
};

// One decision each. They share the error rates of fail and difference: by Holm's adjustment, at
// looks in equal parts. A pass is not adjusted, since the run passes only if all pass.
std::vector<Decision> DecideAll(std::span<const MetricComparison> family, const RunData& data,
                                const Look& look);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_DECIDE_H_
