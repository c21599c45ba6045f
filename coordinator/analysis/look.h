// When a run may be judged, and at which levels: once at its end, at planned looks, or after every
// round of an open-ended run.

#ifndef TARE_COORDINATOR_ANALYSIS_LOOK_H_
#define TARE_COORDINATOR_ANALYSIS_LOOK_H_

#include <cstddef>
#include <cstdint>

#include "coordinator/analysis/analysis.h"
#include "coordinator/analysis/metrics.h"
#include "tare/v1/report.pb.h"

namespace tare::coordinator {

// Error rates of the run, one-sided: of a regression at the floor, of a pass at the threshold, of a
// difference in one direction where there is no threshold.
inline constexpr double kFailAlpha = 0.01;
inline constexpr double kPassAlpha = 0.05;
inline constexpr double kDifferenceAlphaOneSided = 0.025;

enum class LookKind { kFixed, kPlanned, kOpenEnded };

struct Look {
  LookKind kind = LookKind::kFixed;
  int32_t number = 0;  // of planned looks from 1; 0 when these rounds are none of them
  int32_t count = 0;   // of planned looks
  int32_t rounds = 0;  // complete
  // One-sided levels of one test at this look; of an open-ended run those of all rounds together.
  // Planned and open-ended runs divide the levels of fail and difference among the family, a fixed
  // number of rounds leaves that to Holm.
  double fail = kFailAlpha;
  double pass = kPassAlpha;
  double difference = kDifferenceAlphaOneSided;
  // Of the interval that is printed, alone: that of a look holds over all looks together.
  double confidence = 0.95;

  // False between two planned looks: whatever the numbers say, nothing is decided.
  bool MayDecide() const { return kind != LookKind::kPlanned || number > 0; }
};

// `family_size` is the number of comparisons, cells and metrics that are tested.
Look LookAt(const RunData& data, int32_t rounds, size_t family_size);

// The interval that holds although the data decided when to stop; nothing where units are of
// several hosts. Requires: not a fixed look.
void SetRepeatedInterval(const MetricComparison& measured, const Look& look,
                         v1::ReportComparison* report);

// "stopped at look 2 of 5 after 8 rounds". `report` has the verdicts of all comparisons.
v1::StopResult DescribeLook(const Look& look, const v1::Report& report);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_LOOK_H_
