// One rung of a ladder: an arm against itself plus one known delay.

#ifndef TARE_COORDINATOR_ANALYSIS_RUNG_H_
#define TARE_COORDINATOR_ANALYSIS_RUNG_H_

#include "coordinator/analysis/units.h"

namespace tare::coordinator {

// A unit of a rung.
struct RungPoint {
  int32_t round = 0;
  double applied_ns = 0;  // median of the process's delayed samples
  double difference_ns = 0;
};

// In the order of rounds.
std::vector<RungPoint> PointsOf(const CellComparison& comparison);

// All that one rung tells.
v1::Rung DescribeRung(const CellComparison& comparison);

// What the processes that kept another order tell of the rung.
v1::StudiedRung DescribeStudiedRung(const CellComparison& comparison);

}  // namespace tare::coordinator

#endif  // TARE_COORDINATOR_ANALYSIS_RUNG_H_
