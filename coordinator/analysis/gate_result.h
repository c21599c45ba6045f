// The numbers of a gate that stand beside its verdict: limits, units needed, visible change.

#ifndef TARE_COORDINATOR_ANALYSIS_GATE_RESULT_H_
#define TARE_COORDINATOR_ANALYSIS_GATE_RESULT_H_

#include <string>

#include "coordinator/analysis/decide.h"
#include "coordinator/analysis/look.h"
#include "coordinator/analysis/metrics.h"
#include "stats/gate.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// All but the verdicts. Numbers that cannot be had are absent; an open-ended run has no limits, its
// interval is the confidence sequence. Requires: `rule` has a threshold, read from `threshold`.
v1::GateResult MakeGateResult(const MetricComparison& measured, const Rule& rule, const Look& look,
                              const v1::Threshold& threshold);

// "5 %", "100 us", "5 % and 100 us".
std::string FormatThreshold(const v1::Threshold& threshold);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_GATE_RESULT_H_
